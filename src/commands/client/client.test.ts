// The command line as people and scripts use it: the whole program, against a server that listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';
import { createDirectory } from '../../../test/running/database.ts';
import { program } from '../../../test/running/program.ts';
import { endpoints } from '../../http/endpoints.ts';
import { tableOf } from './output.ts';
import { verbOf } from './verbs.ts';

let app: TestApp;
let acme: TestOrganization;
let home = '';

beforeAll(async () => {
  app = await openApp();
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  acme = await organization(app, { name: 'acme' });
  home = createDirectory();
  const projectId = await project(app, acme, { name: 'payments' });
  await workspace(app, acme, { name: 'network' });
  await workspace(app, acme, { name: 'ledger', project_id: projectId });
});

afterAll(() => app.close());

interface Ran {
  code: number;
  output: string;
  errors: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape.
  json: any;
}

async function terrane(words: string[], environment: Record<string, string> = {}, input = ''): Promise<Ran> {
  const own = { HOME: home, PATH: process.env['PATH'], TERRANE_ADDRESS: app.app.listeningOrigin };
  const child = spawn(process.execPath, [...program, ...words], {
    env: { ...own, TERRANE_TOKEN: acme.owner.token, ...environment },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', chunk => (output += chunk));
  child.stderr.on('data', chunk => (errors += chunk));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  const json = /^\s*[[{]/.test(output) ? JSON.parse(output) : undefined;
  return { code, output, errors, json };
}

test('every operation is a verb, each by its own words', () => {
  const deployment = { ...app.config, publicUrl: '' } as never;
  const verbs = endpoints.flatMap(one => verbOf(one, deployment) ?? []);
  expect(verbs.length).toBeGreaterThan(150);
  const words = verbs.map(({ group, name }) => `${group} ${name}`);
  expect(words.filter((word, position) => words.indexOf(word) !== position)).toEqual([]);
  for (const { group, name, questions, members } of verbs) {
    const flags = [...questions, ...members].map(({ flag }) => flag);
    expect([group, name, new Set(flags).size]).toEqual([group, name, flags.length]);
  }
});

test('a list is JSON for scripts and a table for people, with filters by their names', async () => {
  const all = await terrane(['workspaces', 'list', '--sort', 'name']);
  expect(all.json.map((one: { attributes: { name: string } }) => one.attributes.name)).toEqual(['ledger', 'network']);
  const table = await terrane(['workspaces', 'list', '--project-id', 'payments', '--table']);
  expect(table.output).toMatch(/^id +name +execution-mode .*\nws-\w{16} +ledger /);
  expect(table.output).not.toContain('network');
});

test('lock, unlock, set and tag take a name, and their exit codes tell scripts what happened', async () => {
  const locked = await terrane(['workspaces', 'lock', 'network', '--reason', 'Friday']);
  expect([locked.code, locked.json.attributes['locked-reason']]).toEqual([0, 'Friday']);
  const again = await terrane(['workspaces', 'lock', 'network']);
  expect([again.code, again.errors]).toEqual([5, expect.stringContaining('already locked')]);
  expect((await terrane(['workspaces', 'unlock', 'network'])).json.attributes.locked).toBe(false);
  const set = await terrane(['workspaces', 'set', 'network', '--auto-apply', 'true', '--project', 'payments']);
  expect([set.code, set.json.attributes['auto-apply']]).toEqual([0, true]);
  const tagged = await terrane(['workspaces', 'tag', 'network', 'env=prod', 'wave=2']);
  expect(tagged.json.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    expect.objectContaining({ key: 'env', value: 'prod' }),
    expect.objectContaining({ key: 'wave', value: '2' }),
  ]);
  expect((await terrane(['workspaces', 'list', '--tag', 'env=prod'])).json).toHaveLength(1);
});

test('exit codes: 2 for the command line, 3 not found, 4 not allowed, 6 no answer', async () => {
  expect((await terrane(['workspaces', 'show'])).code).toBe(2);
  expect((await terrane(['workspaces', 'set', 'network', '--auto-apply', 'perhaps'])).code).toBe(2);
  expect((await terrane(['workspaces', 'show', 'nowhere'])).code).toBe(3);
  expect((await terrane(['teams', 'list'], { TERRANE_TOKEN: 'nobody' })).code).toBe(4);
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const nobody = { TERRANE_ADDRESS: `http://127.0.0.1:${port}` };
  const away = await terrane(['workspaces', 'lock', 'ws-6jrRyVDv1J8zQMB5'], nobody);
  expect([away.code, away.errors]).toEqual([6, expect.stringContaining('ECONNREFUSED')]);
});

test('what deletes a record asks for --yes, and then deletes it', async () => {
  await workspace(app, acme, { name: 'doomed' });
  const careless = await terrane(['workspaces', 'delete', 'doomed']);
  expect([careless.code, careless.errors]).toEqual([1, expect.stringContaining('--yes')]);
  expect((await terrane(['workspaces', 'delete', 'doomed', '--yes'])).code).toBe(0);
  expect((await terrane(['workspaces', 'show', 'doomed'])).code).toBe(3);
});

test('api sends any request, its body from a file, too', async () => {
  const file = join(createDirectory(), 'team.json');
  writeFileSync(file, JSON.stringify({ data: { type: 'teams', attributes: { name: 'platform' } } }));
  const made = await terrane(['api', 'POST', '/organizations/acme/teams', '--data', `@${file}`]);
  expect([made.code, made.json.data.attributes.name]).toEqual([0, 'platform']);
  const unknown = await terrane(['api', 'GET', '/api/v2/teams/team-6jrRyVDv1J8zQMB5']);
  expect([unknown.code, unknown.json.errors[0].status]).toEqual([3, '404']);
});

test('login keeps a token that the server takes, beside those of other hosts; logout forgets it', async () => {
  const { host } = new URL(app.app.listeningOrigin);
  const file = join(home, '.terraform.d/credentials.tfrc.json');
  mkdirSync(join(home, '.terraform.d'));
  writeFileSync(file, JSON.stringify({ credentials: { 'elsewhere.example': { token: 'other' } } }));
  const none = { TERRANE_TOKEN: '', TERRANE_ADDRESS: '' };
  const wrong = await terrane(['login', app.app.listeningOrigin], none, 'a wrong token\n');
  expect([wrong.code, readFileSync(file, 'utf8')]).toEqual([4, expect.not.stringContaining(host)]);
  const right = await terrane(['login', app.app.listeningOrigin], none, `${acme.owner.token}\n`);
  expect([right.code, right.output]).toEqual([0, expect.stringContaining(`You are ${acme.owner.username}`)]);
  expect(right.output + right.errors).not.toContain(acme.owner.token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await terrane(['organizations', 'list'], none)).json).toHaveLength(1);
  await terrane(['logout', app.app.listeningOrigin], none);
  expect(JSON.parse(readFileSync(file, 'utf8')).credentials).toEqual({ 'elsewhere.example': { token: 'other' } });
  expect(existsSync(`${file}.partial`)).toBe(false);
});

test('completion: words come from the commands themselves', async () => {
  expect((await terrane(['complete', '--', 'workspaces', 'unl'])).output).toBe('unlock\n');
  expect((await terrane(['complete', '--', 'workspaces', 'list', '--sea'])).output).toContain('--search-tags\n');
  for (const shell of ['bash', 'zsh', 'fish'])
    expect((await terrane(['completion', shell])).output).toContain('terrane complete --');
});

test('a table shows no signs that would move the cursor', () => {
  const attributes = { name: 'evil\u001b[2Jname\u202e' };
  expect(tableOf([{ id: 'team-1', type: 'teams', attributes }])).toBe('id      name\nteam-1  evil [2Jname');
});
