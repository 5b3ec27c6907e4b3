/** §4.2 What workspaces and operators set reaches the engine: directories, hooks, keys, engines of their own. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useApp } from '../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../test/builders/records.ts';
import { workspace } from '../test/builders/workspace.ts';
import { createDirectory } from '../test/running/database.ts';
import {
  agentOf,
  askForRun,
  comesTo,
  logOf,
  type Script,
  scriptedEngine,
  scriptedVersion,
  upload,
} from '../test/running/scripted.ts';
import type { Agent } from './agent.ts';
import { engineOf, findEngines } from './engines.ts';

vi.setConfig({ testTimeout: 90_000 });
const app = useApp();
let acme: TestOrganization;
let agent: Agent | undefined;
const traces = createDirectory();
const trace = (name: string) => join(traces, name);
const traced = (name: string) => (existsSync(trace(name)) ? readFileSync(trace(name), 'utf8') : '');

beforeAll(async () => {
  acme = await organization(app);
});
afterEach(async () => {
  await agent?.interrupt();
  agent = undefined;
});

const begin = async (script: Script, given: Partial<Parameters<typeof agentOf>[1]> = {}) => {
  agent = await agentOf(app, { engines: [scriptedEngine(script)], ...given });
};

describe('§4.2 `working-directory`', () => {
  test('is where the engine runs, with its neighbours around it', async () => {
    await begin({ plan: `pwd > ${trace('directory')}; ls .. > ${trace('neighbours')}` });
    const files = { 'stacks/network/main.tf': '', 'stacks/shared/main.tf': '' };
    const { id } = await askForRun(app, acme, { files, workspace: { 'working-directory': 'stacks/network' } });
    await comesTo(app, acme, id, 'planned');
    expect(traced('directory')).toMatch(/\/configuration\/stacks\/network\n$/);
    expect(traced('neighbours')).toBe('network\nshared\n');
  });

  test('that the configuration does not have is an error which names it', async () => {
    await begin({});
    const { id } = await askForRun(app, acme, { workspace: { 'working-directory': 'nowhere' } });
    await comesTo(app, acme, id, 'errored');
    expect(await logOf(app, acme, id, 'plan')).toContain('The configuration has no directory "nowhere".');
  });
});

describe('§4.2 hooks of the agent', () => {
  const directory = createDirectory();
  const hook = (moment: string, text: string) => {
    writeFileSync(join(directory, `terraform-${moment}`), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  };

  test('run before and behind the engine, in the directory and with the environment of the run', async () => {
    const note = (what: string) => `echo "${what} $TFC_RUN_ID $(basename $PWD)" >> ${trace('order')}`;
    for (const moment of ['pre-plan', 'post-plan', 'pre-apply', 'post-apply']) hook(moment, note(moment));
    await begin({ init: note('init'), plan: note('plan'), apply: note('apply') }, { hooksDirectory: directory });
    const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await comesTo(app, acme, id, 'applied');
    const order = ['pre-plan', 'init', 'plan', 'post-plan', 'pre-apply', 'init', 'apply', 'post-apply'];
    expect(traced('order')).toBe(order.map(what => `${what} ${id} configuration\n`).join(''));
  });

  test('that fail make the run fail, before anything is applied', async () => {
    hook('pre-apply', 'echo not on a Friday; exit 3');
    await begin({ apply: `echo applied > ${trace('friday')}` }, { hooksDirectory: directory });
    const { id } = await askForRun(app, acme, { run: { 'auto-apply': true } });
    await comesTo(app, acme, id, 'errored');
    const log = await logOf(app, acme, id, 'apply');
    expect(log).toContain('not on a Friday');
    expect(log).toContain('The hook terraform-pre-apply of the agent failed: it ended with 3.');
    expect(traced('friday')).toBe('');
  });

  test('that cannot be executed are passed over', async () => {
    const others = createDirectory();
    writeFileSync(join(others, 'terraform-pre-plan'), '#!/bin/sh\nexit 1\n', { mode: 0o644 });
    await begin({}, { hooksDirectory: others });
    const { id } = await askForRun(app, acme);
    await comesTo(app, acme, id, 'planned');
  });
});

test('§4.2 the SSH key of the workspace is what git shows for modules, in a file of the run alone, and not in its log', async () => {
  const value = '-----BEGIN OPENSSH PRIVATE KEY-----\nbm90IGEga2V5IGF0IGFsbA==\n-----END OPENSSH PRIVATE KEY-----';
  const made = await app.post(
    `organizations/${acme.name}/ssh-keys`,
    acme.owner.token,
    bodyOf('ssh-keys', { name: 'modules', value }),
  );
  // Git starts this in place of the real one: it keeps the file that it is told to sign in with.
  const programs = createDirectory();
  const ssh = `#!/bin/sh\nwhile [ "$1" != -i ]; do shift; done\ncat "$2" > ${trace('key')}; stat -c %a "$2" > ${trace('mode')}; exit 1\n`;
  writeFileSync(join(programs, 'ssh'), ssh, { mode: 0o755 });
  await begin(
    { init: `git ls-remote ssh://git@modules.example/one; cat ${trace('key')}`, plan: `cat ${trace('key')}` },
    { inherited: { PATH: `${programs}${delimiter}${process.env['PATH']}` } },
  );
  const id = await workspace(app, acme);
  await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { 'terraform-version': scriptedVersion }));
  const assigned = await app.patch(`workspaces/${id}/relationships/ssh-key`, acme.owner.token, {
    data: { type: 'workspaces', attributes: { id: made.data.id } },
  });
  expect(assigned.status).toBe(200);
  const version = await upload(app, acme, id, {});
  const related = {
    workspace: { data: { type: 'workspaces', id } },
    'configuration-version': { data: { type: 'configuration-versions', id: version } },
  };
  const run = (await app.post('runs', acme.owner.token, bodyOf('runs', {}, related))).data;
  await comesTo(app, acme, run.id, 'planned');
  expect([traced('key'), traced('mode')]).toEqual([`${value}\n`, '600\n']);
  const log = await logOf(app, acme, run.id, 'plan');
  expect([log.includes('***'), log.includes('bm90IGEga2V5')]).toEqual([true, false]);
});

test('§4.2 engines are found below TERRANE_ENGINES_DIR before those on the PATH, by what they say of themselves', async () => {
  const [directory, path] = [createDirectory(), createDirectory()];
  const own = scriptedEngine({}, join(directory, scriptedVersion));
  scriptedEngine({}, path);
  const text = readFileSync(own.path, 'utf8');
  writeFileSync(join(directory, 'tofu_1.10.6'), text.replace(scriptedVersion, '1.10.6'), { mode: 0o755 });
  mkdirSync(join(directory, '1.8.0'));
  writeFileSync(join(directory, '1.8.0', 'terraform'), text.replace(scriptedVersion, '1.8.0'), { mode: 0o644 });
  writeFileSync(join(directory, 'terraform_broken'), '#!/bin/sh\necho nothing\n', { mode: 0o755 });
  const found = await findEngines(`${path}${delimiter}/usr/bin:/bin`, [directory]);
  expect(found.filter(one => one.path.startsWith(directory))).toEqual([
    own,
    { name: 'tofu', version: '1.10.6', path: join(directory, 'tofu_1.10.6') },
  ]);
  expect(found.some(one => one.path === join(path, 'terraform'))).toBe(false);
  expect(engineOf(found, '1.10.6')?.name).toBe('tofu');
  expect(engineOf(found, '1.8.0')).toBe(undefined);
});

describe('§2.2 `auto-queue-runs`', () => {
  const uploaded = async (attributes: object, workspaceAttributes: object = {}) => {
    const id = await workspace(app, acme);
    const set = { 'terraform-version': scriptedVersion, ...workspaceAttributes };
    await app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', set));
    await upload(app, acme, id, {}, attributes);
    return (await app.get(`workspaces/${id}/runs`, acme.owner.token)).data;
  };

  test('an upload begins a run, which is applied where the workspace says so; without it nothing begins', async () => {
    await begin({});
    const [planned] = await uploaded({});
    await comesTo(app, acme, planned.id, 'planned');
    const [applied] = await uploaded({ 'auto-queue-runs': true }, { 'auto-apply': true });
    await comesTo(app, acme, applied.id, 'applied');
    expect(applied.attributes.source).toBe('tfe-configuration-version');
    const [speculative] = await uploaded({ speculative: true }, { 'auto-apply': true });
    await comesTo(app, acme, speculative.id, 'planned_and_finished');
    expect(await uploaded({ 'auto-queue-runs': false })).toEqual([]);
  });
});

test('§5 what a run leaves on the machine goes with it, and nobody else could read it meanwhile', async () => {
  const directory = createDirectory();
  chmodSync(directory, 0o700);
  await begin(
    { plan: `stat -c %a .. ../files/terraform.tfvars > ${trace('modes')}; touch "$HOME/left"` },
    { directory },
  );
  const { id } = await askForRun(app, acme);
  await comesTo(app, acme, id, 'planned');
  expect(traced('modes')).toBe('700\n600\n');
  await expect.poll(() => existsSync(join(directory, id))).toBe(false);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});
