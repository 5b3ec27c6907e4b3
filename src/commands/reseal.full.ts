// `terrane reseal` as an operator runs it after a change of the encryption key, on a database that servers use.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAppOn, pepper, type TestApp } from '../../test/app.ts';
import { bodyOf, person } from '../../test/builders/records.ts';
import { runTask } from '../../test/builders/run-task.ts';
import { transfer } from '../../test/builders/state.ts';
import { type RichOrganization, richOrganization } from '../../test/cast/rich-organization.ts';
import { fingerprint } from '../../test/nets/rows.ts';
import { createDatabase, reachableUrl, type TestDatabase } from '../../test/running/database.ts';
import { holdTransaction } from '../../test/running/held.ts';
import { program } from '../../test/running/program.ts';
import { workOffClaims } from '../core/claims.ts';
import { newId } from '../core/store/ids.ts';
import { type KeyMaterial, keyNames, openBytes, seal } from '../core/store/secrets.ts';
import type { Sql } from '../core/store/store.ts';
import { deliveries } from '../runs/notification-configurations/deliver.ts';
import { sealContext as keyContext } from '../runs/run-tasks/run-task.ts';
import { sealContext } from '../workspaces/variables/values.ts';
import { places, type SealedValue } from './reseal/places.ts';
import { keyUses } from './reseal/reseal.ts';

const former = 'the former key of the tests';
const present = 'the present key of the tests';
const rotated = { TERRANE_ENCRYPTION_KEY: present, TERRANE_OLD_ENCRYPTION_KEYS: former };
const patience = { timeout: 30_000, interval: 10 };
const idOf = (encryptionKey: string) => keyNames({ encryptionKey })[0]!.id;

let database: TestDatabase;
let app: TestApp;
let home: RichOrganization;
let url = '';
let cleanups: (() => unknown)[] = [];

beforeEach(async () => {
  database = await createDatabase();
  const reachable = await reachableUrl(database.connection);
  url = reachable.url;
  app = await openAppOn(database, { TERRANE_ENCRYPTION_KEY: former });
  cleanups = [database.drop, reachable.close, app.close];
  home = await richOrganization(app);
  const { token } = home.owner;
  const client = bodyOf('oauth-clients', {
    'service-provider': 'ado_server',
    'http-url': 'https://ado.example.com',
    'api-url': 'https://ado.example.com',
    key: 'a key',
    secret: 'a secret',
    'private-key': 'a private key',
    'oauth-token-string': 'a token',
  });
  await app.post(`organizations/${home.name}/oauth-clients`, token, client);
  const administrator = await person(app, { isAdmin: true });
  const provider = {
    name: 'company',
    kind: 'openid-connect',
    issuer: 'https://sso.example.com',
    'client-id': 'terrane',
    'client-secret': 'a secret',
  };
  await app.post('admin/sign-in-providers', administrator.token, bodyOf('sign-in-providers', provider));
  const sshKey = bodyOf('oauth-tokens', { 'ssh-key': '-----BEGIN' });
  await app.patch(`oauth-tokens/${home.ids['oauthToken']}`, token, sshKey);
  const hook = {
    'destination-type': 'generic',
    enabled: false,
    name: 'ops',
    url: 'https://a.example',
    token: 'secret',
  };
  const path = `workspaces/${home.ids['network']}/notification-configurations`;
  await app.post(path, token, bodyOf('notification-configurations', hook));
  const taskId = newId('task');
  await runTask(app, home, { id: taskId, sealed_hmac_key: seal(app.config, 'a key', keyContext(taskId)) });
  // What was answered is sealed, too: here, that the site sends no mail.
  await workOffClaims(
    deliveries(() => ({ store: app.store, config: app.config, publicUrl: 'https://terrane.example' })),
  );
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

/** Starts the command; `status`, `output` and `errors` are there when it has ended. */
function start(environment: Record<string, string>, ...options: string[]) {
  const child = spawn(process.execPath, [...program, 'reseal', ...options], {
    env: { DATABASE_URL: url, TERRANE_TOKEN_PEPPER: pepper, ...environment },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  const ended = once(child, 'close').then(([status]) => ({ status, output, errors }));
  return { child, ended };
}

const run = (environment: Record<string, string>, ...options: string[]) => start(environment, ...options).ended;

/** Every sealed value, opened. */
async function openedBy(keys: KeyMaterial): Promise<Record<string, string>> {
  const opened: Record<string, string> = {};
  for (const place of places) {
    for (let last: SealedValue | null = null; ; ) {
      const values: SealedValue[] = await app.store.transaction(sql => place.next(sql, 'none', last));
      for (const value of values) {
        const name = [place.table, value.id, value.position, place.column].join(' ');
        opened[name] = openBytes(keys, value.sealed, place.contextOf(value)).toString('base64');
      }
      last = values.at(-1) ?? null;
      if (!last) break;
    }
  }
  return opened;
}

const usesBy = async (key: string) => (await keyUses(app.store)).filter(({ keyId }) => keyId === idOf(key));

test('every column of sealed values is a place that is resealed', async () => {
  const columns = await app.store.read`
    select columns.table_name::text as table, columns.column_name::text as column from information_schema.columns
    where columns.table_schema = 'public' and columns.column_name like 'sealed%' order by 1, 2`;
  // What runs were given themselves lies within JSON.
  const known = places.map(({ table, column }) => ({ table, column })).filter(({ column }) => column !== 'variables');
  expect(known.sort((one, two) => (`${one.table}.${one.column}` < `${two.table}.${two.column}` ? -1 : 1))).toEqual([
    ...columns,
  ]);
});

test('after a new key all is resealed, and a server with that key alone reads the same bytes', async () => {
  const shown = async (on: TestApp) => {
    const { data } = await on.get(`state-versions/${home.ids['stateVersion']}`, home.owner.token);
    return (await transfer(on, 'GET', data.attributes['hosted-state-download-url'])).bytes;
  };
  const content = await shown(app);
  const before = await openedBy({ encryptionKey: former });
  expect((await usesBy(former)).map(({ table, column }) => [table, column])).toEqual(
    places.map(({ table, column }) => [table, column]),
  );
  const rows = await fingerprint(app.store);
  const dry = JSON.parse((await run(rotated, '--dry-run', '--json')).output);
  expect(dry.resealed).toBe(0);
  expect(dry.keys.map((key: { id: string }) => key.id).slice(0, 2)).toEqual([idOf(present), idOf(former)]);
  expect(dry.keys[1].values['variables.sealed_value']).toBeGreaterThan(0);
  expect(await fingerprint(app.store)).toEqual(rows);

  const { status, output } = await run(rotated);
  expect(status).toBe(0);
  expect(output).toContain(`Sealed again: ${Object.keys(before).length} values.`);
  expect(output).toContain(
    `Key ${idOf(former)} (number 1 of TERRANE_OLD_ENCRYPTION_KEYS) seals nothing. No server needs it any more: remove it.`,
  );
  expect(await openedBy({ encryptionKey: present })).toEqual(before);
  const next = await openAppOn(database, { TERRANE_ENCRYPTION_KEY: present });
  cleanups.push(next.close);
  expect(await shown(next)).toEqual(content);
  expect(JSON.parse((await run(rotated, '--json')).output)).toMatchObject({ resealed: 0, problems: [] });
});

/** Holds a row of the last batch, so that the command waits in the middle of its work. */
async function holdLast(sql: Sql): Promise<string> {
  const [last] = await sql<{ id: string }[]>`
    select variables.id from variables where variables.sealed_value is not null
    order by variables.id desc limit 1 for update`;
  return last!.id;
}

/** Many sensitive variables, so that they take several batches. */
async function addVariables(count: number): Promise<void> {
  const [one] = await app.store.read<{ id: string }[]>`
    select variables.id from variables where variables.sealed_value is not null limit 1`;
  for (let index = 0; index < count; index += 1) {
    const id = `var-many${String(index).padStart(12, '0')}`;
    const sealed = seal({ encryptionKey: former }, `value ${index}`, sealContext(id));
    await app.store.read`
      insert into variables
      select copies.* from variables
      cross join lateral jsonb_populate_record(
        variables, jsonb_build_object('id', ${id}::text, 'key', ${id}::text)
      ) as copies
      where variables.id = ${one!.id}`;
    await app.store.read`update variables set sealed_value = ${sealed} where variables.id = ${id}`;
  }
}

test('killed in the middle, it goes on where it was; what a server wrote meanwhile is not lost', async () => {
  await addVariables(120);
  const total = (await usesBy(former)).reduce((sum, { count }) => sum + count, 0);
  const before = await openedBy({ encryptionKey: former });
  const done = async () => (await usesBy(present)).reduce((sum, { count }) => sum + count, 0);
  const held = await holdTransaction(app.store);
  const id = await holdLast(held.sql);
  const { child, ended } = start(rotated);
  await vi.waitFor(async () => expect(await done()).toBeGreaterThanOrEqual(100), patience);
  const kept = await done();
  expect(kept).toBeLessThan(total);
  child.kill('SIGKILL');
  await ended;
  const waiting = () => app.store.read<{ pid: number }[]>`
    select pg_stat_activity.pid from pg_stat_activity
    where pg_stat_activity.datname = current_database() and pg_stat_activity.wait_event_type = 'Lock'`;
  // PostgreSQL would notice the death of its client only when the row is free.
  for (const { pid } of await waiting()) await app.store.read`select pg_terminate_backend(${pid})`;
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), patience);
  expect(await done()).toBe(kept);

  const again = start(rotated, '--json');
  await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), patience);
  await held.sql`
    update variables set sealed_value = ${seal({ encryptionKey: present }, 'written meanwhile', sealContext(id))}
    where variables.id = ${id}`;
  await held.release();
  const { status, output } = await again.ended;
  expect([status, JSON.parse(output).resealed]).toEqual([0, total - kept - 1]);
  const name = `variables ${id}  sealed_value`;
  const written = Buffer.from('written meanwhile').toString('base64');
  expect(await openedBy({ encryptionKey: present })).toEqual({ ...before, [name]: written });
});

test('a value of an unknown key or a damaged one is named and stays, the rest is resealed, the exit code is 1', async () => {
  const sshKey = home.ids['sshKey']!;
  const foreign = seal({ encryptionKey: 'a key that was lost' }, 'lost', `ssh-keys/${sshKey}`);
  await app.store.read`update ssh_keys set sealed_value = ${foreign} where ssh_keys.id = ${sshKey}`;
  await app.store.read`
    update blob_chunks set sealed = set_byte(
      blob_chunks.sealed, length(blob_chunks.sealed) - 1, get_byte(blob_chunks.sealed, length(blob_chunks.sealed) - 1) # 255
    ) where blob_chunks.position = 0`;
  const { status, output, errors } = await run(rotated);
  expect(status).toBe(1);
  expect(errors).toContain(
    `ssh_keys ${sshKey}, sealed_value: it was sealed by the key ${idOf('a key that was lost')}, which is not configured`,
  );
  expect(errors).toMatch(/blob_chunks blob-\w+, sealed: it is damaged, or not where it was sealed/);
  expect(output).toContain(`Key ${idOf('a key that was lost')} (not configured) seals 1 values`);
  expect((await usesBy(former)).map(({ table }) => table)).toEqual(['blob_chunks']);
  const [stored] = await app.store.read<{ sealed_value: Buffer }[]>`
    select ssh_keys.sealed_value from ssh_keys where ssh_keys.id = ${sshKey}`;
  expect(stored!.sealed_value.equals(foreign)).toBe(true);
});
