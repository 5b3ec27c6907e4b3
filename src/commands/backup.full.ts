// `terrane backup`, `restore` and `verify` as an operator runs them, beside servers that go on writing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openAppOn, pepper, type TestApp } from '../../test/app.ts';
import { bodyOf, randomName } from '../../test/builders/records.ts';
import { stateClient, stateOf } from '../../test/builders/state.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { type RichOrganization, richOrganization } from '../../test/cast/rich-organization.ts';
import { fingerprint } from '../../test/nets/rows.ts';
import { createDatabase, createDirectory, createEmptyDatabase, reachableUrl } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import { type Connection, openStore, type Store } from '../core/store/store.ts';
import { type Entry, readArchive, writeArchive } from './backup/archive.ts';
import { headingPath, manifestPath, tableAt } from './backup/contents.ts';
import { lookAtAll } from './verify.ts';

// Each command is a process of its own, which takes a second, and ten on a machine where other things run.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const encryptionKey = 'the encryption key of this test';
const keys = { TERRANE_TOKEN_PEPPER: pepper, TERRANE_ENCRYPTION_KEY: encryptionKey };
const closers: (() => unknown)[] = [];
const folder = createDirectory();
let app: TestApp;
let home: RichOrganization;
let url: string;
let locked: string;

/** A database by its URL, and a store on it. */
async function reachable(connection: Connection): Promise<{ url: string; store: Store }> {
  const { url, close } = await reachableUrl(connection);
  const store = openStore(connection, { connections: 2 });
  closers.push(close, () => store.close());
  return { url, store };
}

async function empty() {
  const database = await createEmptyDatabase();
  closers.push(() => database.drop());
  return { connection: database.connection, ...(await reachable(database.connection)), drop: database.drop };
}

beforeAll(async () => {
  const database = await createDatabase();
  closers.push(() => database.drop());
  ({ url } = await reachable(database.connection));
  app = await openAppOn(database, { TERRANE_ENCRYPTION_KEY: encryptionKey });
  closers.push(() => app.close());
  home = await richOrganization(app);
  locked = await workspace(app, home);
  const client = stateClient(app, locked, home.owner.token);
  await client.lock();
  expect(
    (await client.push(stateOf({ resources: 20, outputs: { answer: { value: 42, type: 'number' } } }))).status,
  ).toBe(201);
}, 60_000);

afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function run(
  command: string,
  of: string,
  more: readonly string[] = [],
  environment: Record<string, string> = keys,
) {
  const child = spawn(process.execPath, [...program, command, ...more], {
    env: { DATABASE_URL: of, TERRANE_LOG_LEVEL: 'silent', ...environment },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  const [status] = await once(child, 'close');
  return { status, output, errors };
}

const file = (name: string) => join(folder, name);

/** What a backup keeps, table by table. */
async function kept(store: Store): Promise<Record<string, string>> {
  const { changes: _, servers: __, schema_migrations: ___, leases: ____, ...tables } = await fingerprint(store);
  return tables;
}

test('backup: what is restored into an empty database is what was there, row by row, and is whole', async () => {
  expect(await run('backup', url, [file('one')])).toMatchObject({ status: 0, errors: '' });
  expect(statSync(file('one')).mode & 0o777).toBe(0o600);
  expect(existsSync(file('one.partial'))).toBe(false);
  const { connection, store, url: target } = await empty();
  expect(await run('restore', target, [file('one')])).toMatchObject({ status: 0, errors: '' });
  expect(await kept(store)).toEqual(await kept(app.store));
  const verified = await run('verify', target);
  expect(verified).toMatchObject({ status: 0, errors: '' });
  expect(verified.output).not.toContain('WRONG');
  // A token of before is known, a state of before is read, and numbers are drawn from where they were.
  const restored = await openAppOn(
    { connection, drop: async () => undefined },
    { TERRANE_ENCRYPTION_KEY: encryptionKey },
  );
  const shown = await restored.get(`workspaces/${locked}`, home.owner.token);
  expect(shown.data.attributes).toEqual((await app.get(`workspaces/${locked}`, home.owner.token)).data.attributes);
  expect(shown.data.attributes.locked).toBe(true);
  const { data: version } = await restored.get(`workspaces/${locked}/current-state-version`, home.owner.token);
  const download = new URL(version.attributes['hosted-state-download-url']);
  const content = await restored.app.inject(`${download.pathname}${download.search}`);
  expect([content.statusCode, content.body]).toEqual([
    200,
    stateOf({ resources: 20, outputs: { answer: { value: 42, type: 'number' } } }).toString(),
  ]);
  const body = bodyOf('workspaces', { name: randomName('later') });
  expect((await restored.post(`organizations/${home.name}/workspaces`, home.owner.token, body)).status).toBe(201);
  await restored.close();
});

test('backup: taken while others write, it is the database of one moment', async () => {
  let isOver = false;
  const acknowledged: string[] = [];
  const writer = async () => {
    while (!isOver) {
      const name = randomName('busy');
      const body = bodyOf('workspaces', { name });
      const made = await app.post(`organizations/${home.name}/workspaces`, home.owner.token, body);
      expect(made.status).toBe(201);
      await app.post(`workspaces/${made.data.id}/actions/lock`, home.owner.token, {});
      acknowledged.push(made.data.id);
    }
  };
  const writers = [writer(), writer(), writer()];
  await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(10);
  const before = [...acknowledged];
  const taken = await run('backup', url, [file('busy')]);
  isOver = true;
  await Promise.all(writers);
  expect(taken.status).toBe(0);
  expect(acknowledged.length).toBeGreaterThan(before.length);
  const { store, url: target } = await empty();
  expect((await run('restore', target, [file('busy')])).status).toBe(0);
  expect((await run('verify', target)).output).not.toContain('WRONG');
  const [found] = await store.read<{ count: number }[]>`
    select count(*)::integer as count from workspaces
    where workspaces.id = any(${before}) and workspaces.locked and exists (
      select 1 from audit_events where audit_events.resource_id = workspaces.id and audit_events.action = 'workspaces.lock'
    )`;
  expect(found!.count).toBe(before.length);
});

test('backup: it overwrites nothing, and leaves nothing behind where it fails', async () => {
  writeFileSync(file('mine'), 'mine');
  const taken = await run('backup', url, [file('mine')]);
  expect([taken.status, taken.errors]).toEqual([1, expect.stringContaining('There is a file')]);
  expect(readFileSync(file('mine'), 'utf8')).toBe('mine');
  const { url: target } = await empty();
  expect((await run('backup', target, [file('none')])).errors).toContain('nothing to back up');
  expect(existsSync(file('none'))).toBe(false);
});

test('backup: what is damaged, breaks off or is none is refused, and the database stays empty', async () => {
  await run('backup', url, [file('good')]);
  const good = readFileSync(file('good'));
  const damaged = Buffer.from(good);
  damaged[good.length >> 1]! ^= 0xff;
  writeFileSync(file('damaged'), damaged);
  writeFileSync(file('short'), good.subarray(0, good.length - 2000));
  writeFileSync(file('other'), 'no backup at all');
  const { store, url: target } = await empty();
  for (const name of ['damaged', 'short', 'other', 'missing']) {
    const restored = await run('restore', target, [file(name)]);
    expect([name, restored.status]).toEqual([name, 1]);
    expect(restored.errors).toMatch(/^(The backup|.* is no backup)/);
  }
  const [users] = await store.read<{ count: number }[]>`select count(*)::integer as count from users`;
  expect(users!.count).toBe(0);
  expect((await run('restore', target, [file('good')])).status).toBe(0);
});

const changed: [string, (entry: Entry) => Buffer][] = [
  ['what it is', ({ path, bytes }) => (path === headingPath ? bytes.subarray(1) : bytes)],
  ['what was written', ({ path, bytes }) => (path === manifestPath ? bytes.subarray(1) : bytes)],
  ['a row', ({ path, bytes }) => (tableAt(path) === 'users' ? Buffer.concat([bytes, Buffer.from('a b\n')]) : bytes)],
  [
    'a row that is there twice',
    ({ path, bytes }) => (tableAt(path) === 'users' ? Buffer.concat([bytes, bytes]) : bytes),
  ],
  ['a row that is not there', ({ path, bytes }) => (tableAt(path) === 'users' ? Buffer.alloc(0) : bytes)],
];

test('backup: whatever of it is damaged, people are told so, and that nothing was restored', async () => {
  await run('backup', url, [file('whole')]);
  const { url: target } = await empty();
  for (const [what, change] of changed) {
    const name = file(what.replaceAll(' ', '-'));
    await writeArchive(name, entriesOf(file('whole'), change));
    const { status, errors } = await run('restore', target, [name]);
    expect([what, status, errors]).toEqual([
      what,
      1,
      expect.stringMatching(/^The backup is damaged: .+\. Nothing was restored\.\n$/),
    ]);
  }
});

async function* entriesOf(path: string, change: (entry: Entry) => Buffer): AsyncGenerator<Entry> {
  for await (const entry of readArchive(path)) yield { path: entry.path, bytes: change(entry) };
}

test('backup: other keys than those of the server are refused before anything is written', async () => {
  const { url: target, store } = await empty();
  const other = { ...keys, TERRANE_ENCRYPTION_KEY: 'another key of sixteen' };
  const restored = await run('restore', target, [file('one')], other);
  expect([restored.status, restored.errors]).toEqual([1, expect.stringContaining('TERRANE_ENCRYPTION_KEY')]);
  const tables = await store.read`select 1 from information_schema.tables where tables.table_schema = 'public'`;
  expect(tables).toHaveLength(0);
  const rotated = { ...other, TERRANE_OLD_ENCRYPTION_KEYS: encryptionKey };
  expect((await run('restore', target, [file('one')], rotated)).status).toBe(0);
});

test('backup: a database that holds something is not restored into', async () => {
  const before = await kept(app.store);
  const restored = await run('restore', url, [file('one')]);
  expect([restored.status, restored.errors]).toEqual([1, expect.stringContaining('restore into an empty one')]);
  expect(await kept(app.store)).toEqual(before);
});

/** What may go wrong with a database, and which check sees it. */
const harm: [string, string][] = [
  ['references', 'set local session_replication_role = replica; delete from projects'],
  ['counters', 'update workspace_counts set workspaces = workspaces + 1'],
  ['counters', `alter table workspaces disable trigger user; delete from workspaces where name like 'busy%'`],
  ['status counters', `insert into workspace_status_counts select id, 0, 'applied', 1 from organizations limit 1`],
  ['locks', `update workspaces set revision = default, locked_by_id = 'user-gone' where locked`],
  [
    'states',
    `update workspaces set revision = default, current_state_version_id = 'sv-gone' where current_state_version_id is not null`,
  ],
  ['runs', `update workspaces set revision = default, current_run_status = 'applied' where current_run_id is not null`],
  [
    'contents',
    `update blob_chunks set sealed = set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1)`,
  ],
  ['contents', 'delete from blob_chunks'],
  ['contents', `update blobs set sha256 = '\\x00'`],
  ['contents', 'update blobs set is_kept = false'],
  ['secrets', `update variables set sealed_value = set_byte(sealed_value, 20, get_byte(sealed_value, 20) # 1)`],
  [
    'audit',
    `update workspaces set revision = default, locked = false, locked_by_type = null, locked_by_id = null where locked`,
  ],
  ['schema', `update schema_migrations set checksum = 'x' where version = 1`],
];

test('verify: each thing that can be wrong with a database is seen, and named', async () => {
  const { url: target, store } = await empty();
  expect((await run('restore', target, [file('busy')])).status).toBe(0);
  for (const [check, script] of harm) {
    const undone = new Error('undone');
    const looked = store.transaction(async sql => {
      for (const statement of script.split('; ')) await sql.unsafe(statement);
      const found = await lookAtAll(sql, app.config);
      const wrong = found.filter(one => one.wrong > 0).map(({ name }) => name);
      expect([script, wrong]).toEqual([script, expect.arrayContaining([check])]);
      throw undone;
    });
    await expect(looked).rejects.toBe(undone);
  }
  expect((await run('verify', target, ['--json'])).status).toBe(0);
  await store.read`update workspace_counts set workspaces = workspaces + 1`;
  const told = await run('verify', target);
  expect([told.status, told.errors.trim()]).toEqual([1, 'Not whole: counters.']);
  expect(told.output).toMatch(/^WRONG {2}counters:.*\n +The organization org-\w+ counts/m);
});
