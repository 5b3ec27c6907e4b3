/** What a database says of itself: whether Terrane can live on it, and whether the keys are the ones of what it holds. */
import type { Config } from '../../core/config.ts';
import { knownVersion, schemaVersion } from '../../core/store/migrate.ts';
import { keyNames } from '../../core/store/secrets.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { tokenHash } from '../../people/tokens/secret.ts';
import { keyUses } from '../reseal/reseal.ts';
import { type Diagnosis, ok, problem, skipped, warning } from './diagnosis.ts';

const oldest = 14;

export async function ofDatabase(store: Store, config: Config): Promise<Diagnosis[]> {
  const sql = store.read;
  const settings = await readSettings(sql);
  const first = [ofVersion(settings), ...ofSettings(settings, config), await ofClock(sql), ...(await ofRights(sql))];
  const version = await schemaVersion(sql);
  if (version === 0) return [...first, ok('schema', 'There is none yet: the first start makes it.')];
  const schema = ofSchema(version);
  if (version !== knownVersion()) return [...first, schema, skipped('keys', 'Another schema than the one known here.')];
  return [...first, schema, await ofEncryptionKey(store, config), await ofPepper(sql, config)];
}

type Settings = Record<string, string>;

async function readSettings(sql: Sql): Promise<Settings> {
  const names = [
    'server_version_num',
    'server_version',
    'server_encoding',
    'fsync',
    'full_page_writes',
    'synchronous_commit',
  ];
  const more = ['max_connections', 'transaction_read_only', 'idle_session_timeout', 'transaction_timeout'];
  const rows = await sql<{ name: string; value: string }[]>`
    select pg_settings.name, pg_settings.reset_val as value from pg_settings where pg_settings.name = any(${[...names, ...more]})`;
  const [now] = await sql<{ in_recovery: boolean }[]>`select pg_is_in_recovery() as in_recovery`;
  return { ...Object.fromEntries(rows.map(({ name, value }) => [name, value])), in_recovery: String(now!.in_recovery) };
}

function ofVersion({ server_version, server_version_num, in_recovery }: Settings): Diagnosis {
  if (in_recovery === 'true')
    return problem(
      'PostgreSQL',
      'DATABASE_URL leads to a replica.',
      'Name the primary, or an address that follows it.',
    );
  if (Number(server_version_num) < oldest * 10_000)
    return problem('PostgreSQL', `Version ${server_version} is too old.`, `Upgrade it to ${oldest} or newer.`);
  return ok('PostgreSQL', `Version ${server_version} answers.`);
}

function ofSettings(settings: Settings, { connections, workers }: Config): Diagnosis[] {
  const found: Diagnosis[] = [];
  const name = 'settings of PostgreSQL';
  for (const setting of ['fsync', 'full_page_writes'] as const)
    if (settings[setting] === 'off')
      found.push(problem(name, `${setting} is off.`, 'Switch it on: a power cut would destroy the database.'));
  if (settings['synchronous_commit'] === 'off')
    found.push(problem(name, 'synchronous_commit is off.', 'Switch it on: what was acknowledged could be lost.'));
  if (settings['server_encoding'] !== 'UTF8')
    found.push(
      problem(name, `The database has the encoding ${settings['server_encoding']}.`, 'Make one with encoding UTF8.'),
    );
  const needed = workers * (2 * connections + 2);
  if (Number(settings['max_connections']) < needed + 5)
    found.push(
      warning(
        name,
        `It takes ${settings['max_connections']} connections, of which each server uses up to ${needed}.`,
        'Raise max_connections, or lower TERRANE_CONNECTIONS or TERRANE_WORKERS.',
      ),
    );
  for (const setting of ['idle_session_timeout', 'transaction_timeout'])
    if (Number(settings[setting] ?? 0) > 0)
      found.push(
        warning(
          name,
          `${setting} ends connections.`,
          'Set it to 0 for this database: connections are made again each time.',
        ),
      );
  return found.length > 0 ? found : [ok(name, 'They keep what is acknowledged, and leave room for connections.')];
}

async function ofClock(sql: Sql): Promise<Diagnosis> {
  const [row] = await sql<
    { epoch_ms: number }[]
  >`select extract(epoch from clock_timestamp())::float8 * 1000 as epoch_ms`;
  const apart_s = Math.abs(Date.now() - row!.epoch_ms) / 1000;
  const found = `The clocks of this machine and of PostgreSQL are ${apart_s.toFixed(1)} s apart.`;
  if (apart_s > 60) return problem('clock', found, 'Set both by NTP: signed addresses and tokens expire by them.');
  return apart_s > 2 ? warning('clock', found, 'Set both by NTP.') : ok('clock', found);
}

async function ofRights(sql: Sql): Promise<Diagnosis[]> {
  const [row] = await sql<{ may_create: boolean; schema: string | null; has_trigrams: boolean }[]>`
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create, current_schema()::text as schema,
      exists (select 1 from pg_available_extensions where pg_available_extensions.name = 'pg_trgm') as has_trigrams`;
  const found: Diagnosis[] = [];
  if (!row!.may_create)
    found.push(
      problem(
        'rights',
        `The user may not create tables in the schema ${row!.schema}.`,
        'Make it the owner of the database.',
      ),
    );
  if (!row!.has_trigrams)
    found.push(problem('rights', 'The extension pg_trgm is not installed.', "Install PostgreSQL's contrib package."));
  return found.length > 0 ? found : [ok('rights', 'The user may do what migrations do.')];
}

function ofSchema(version: number): Diagnosis {
  const known = knownVersion();
  if (version > known)
    return problem(
      'schema',
      `It is at ${version}, and this Terrane knows ${known}.`,
      'Use a Terrane at least as new as the one that was used before.',
    );
  if (version < known)
    return warning(
      'schema',
      `It is at ${version}, and this Terrane is at ${known}.`,
      'The next start brings it there: back up before.',
    );
  return ok('schema', `It is at ${version}.`);
}

async function ofEncryptionKey(store: Store, config: Config): Promise<Diagnosis> {
  const known = new Set(keyNames(config).map(({ id }) => id));
  const unknown = (await keyUses(store)).filter(({ keyId }) => !known.has(keyId));
  if (unknown.length === 0) return ok('encryption key', 'It opens what is sealed, as far as the ids of keys tell.');
  const count = unknown.reduce((sum, use) => sum + use.count, 0);
  const ids = [...new Set(unknown.map(({ keyId }) => keyId))].join(', ');
  return problem(
    'encryption key',
    `${count} sealed values have keys that are not configured: ${ids}.`,
    'Add them to TERRANE_OLD_ENCRYPTION_KEYS: without them nobody reads these values.',
  );
}

/** Its only proof is a token that is known to be one. */
async function ofPepper(sql: Sql, { adminToken, tokenPepper }: Config): Promise<Diagnosis> {
  if (!adminToken)
    return skipped('token pepper', 'Whether it is the right one shows with a token: set TERRANE_ADMIN_TOKEN to one.');
  const found = await sql`select 1 from tokens where tokens.hash = ${tokenHash(tokenPepper ?? '', adminToken)}`;
  if (found.length > 0) return ok('token pepper', 'TERRANE_ADMIN_TOKEN is known by it.');
  return warning(
    'token pepper',
    'TERRANE_ADMIN_TOKEN is not known.',
    'Either it was revoked, or the pepper is another one: then every token is void.',
  );
}
