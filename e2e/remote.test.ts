// terraform and tofu, unmodified, with Terrane executing their runs: by its own agent, and by agents of a pool.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDirectory } from '../test/running/database.ts';
import { program } from '../test/running/program.ts';
import { commandLines, type Directory, hostOf, type Server, startServer, workDirectory } from './command-line.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
const organization = 'acme';
const found = commandLines();
if (found.length === 0) console.log('e2e: no engine on this machine (terraform, tofu): remote execution is skipped');

const resources = `
variable "color" {
  default = "blue"
}
variable "secret" {
  default   = "none"
  sensitive = true
}
resource "terraform_data" "one" {
  input = var.color
}
output "color" {
  value = terraform_data.one.output
}
`;
/** Takes a while, and says something that nobody may read. */
const slow = (seconds: number) => `
resource "terraform_data" "slow" {
  input = var.color
  provisioner "local-exec" {
    command = "echo begun $SECRET_TEXT; sleep ${seconds}; echo ended"
  }
}
`;

describe.skipIf(found.length === 0).each(found.length === 0 ? ['none'] : found)('%s', binary => {
  let server: Server;
  const work = join(createDirectory(), 'work');
  beforeAll(async () => {
    mkdirSync(work, { recursive: true, mode: 0o700 });
    server = await startServer({ TERRANE_BUILTIN_AGENT: 'on', TERRANE_AGENT_DIR: work });
    const attributes = { name: organization, email: 'owner@example.com' };
    await server.api('POST', 'organizations', { data: { type: 'organizations', attributes } });
    const entitlements = async () => (await server.api('GET', `organizations/${organization}/entitlement-set`)).data;
    const executes = async () => expect((await entitlements()).attributes.operations).toBe(true);
    await vi.waitFor(executes, { timeout: 30_000, interval: 200 });
  });
  afterAll(() => server?.stop());

  const backend = (name: string, kind: 'cloud' | 'backend "remote"' = 'cloud') => `
    terraform {
      ${kind} {
        hostname     = "${hostOf(server)}"
        organization = "${organization}"
        workspaces { name = "${name}" }
      }
    }`;
  async function directory(name: string, more = '', kind?: 'backend "remote"'): Promise<Directory> {
    const made = workDirectory(binary, server);
    made.write('backend.tf', backend(name, kind));
    made.write('main.tf', resources + more);
    await made.succeed('init', '-no-color', '-input=false');
    return made;
  }
  const workspace = async (name: string) =>
    (await server.api('GET', `organizations/${organization}/workspaces/${name}`)).data;
  const runsOf = async (name: string) =>
    (await server.api('GET', `workspaces/${(await workspace(name)).id}/runs`)).data;
  const setVariable = async (name: string, attributes: object) =>
    server.api('POST', `workspaces/${(await workspace(name)).id}/vars`, { data: { type: 'vars', attributes } });
  const apply = ['apply', '-auto-approve', '-no-color', '-input=false'];
  const statusIs = (name: string, status: string) =>
    expect
      .poll(async () => (await runsOf(name))[0]?.attributes.status, { timeout: 60_000, interval: 200 })
      .toBe(status);

  test('§2.2 plan, apply and destroy are executed by the server, with the variables of run and workspace', async () => {
    const { succeed } = await directory('plain');
    await setVariable('plain', { key: 'color', value: 'of $${the} %{workspace}"\n', category: 'terraform' });
    expect(await succeed('plan', '-no-color')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
    expect(await succeed('output', '-raw', 'color')).toBe('of $${the} %{workspace}"\n');
    expect(await succeed(...apply, '-var', 'color=of the run')).toContain('0 added, 1 changed');
    expect(await succeed('output', '-raw', 'color')).toBe('of the run');
    expect((await workspace('plain')).attributes).toMatchObject({ locked: false, 'resource-count': 1 });
    const [run] = await runsOf('plain');
    const done = (await server.api('GET', `runs/${run.id}/apply`)).data;
    expect(done.attributes).toMatchObject({ status: 'finished', 'resource-changes': 1 });
    expect(done.relationships['state-versions'].data).not.toEqual([]);
    expect(await succeed('destroy', '-auto-approve', '-no-color')).toContain('1 destroyed');
    expect((await workspace('plain')).attributes['resource-count']).toBe(0);
    const figures = (await workspace('plain')).attributes;
    expect([figures['workspace-kpis-runs-count'], figures['run-failures']]).toEqual([3, 0]);
  });

  test('§2.2 a plan that is kept is shown, and applied later, once', async () => {
    const { succeed, run } = await directory('saved');
    expect(await succeed('plan', '-no-color', '-out=kept')).toContain('1 to add');
    expect(await succeed('show', '-no-color', 'kept')).toContain('planned and saved (confirmable)');
    expect(await succeed('apply', '-no-color', 'kept')).toContain('1 added');
    expect((await run('apply', '-no-color', 'kept')).status).toBe(1);
    await succeed('plan', '-no-color', '-out=stale', '-var', 'color=stale');
    await succeed(...apply, '-var', 'color=newer');
    const stale = await run('apply', '-no-color', 'stale');
    expect([stale.status, /discarded/.test(stale.output)]).toEqual([1, true]);
  });

  test('§2.2 a plan is confirmed, or discarded, at the prompt', async () => {
    const { answering } = await directory('asked');
    expect(await answering('yes\n', 'apply', '-no-color')).toContain('1 added');
    await expect(answering('no\n', 'apply', '-no-color', '-var', 'color=other')).rejects.toThrow('discarded');
    await statusIs('asked', 'discarded');
  });

  test('§4.3 the remote backend, and text where structured output is off', async () => {
    const { succeed } = await directory('text', '', 'backend "remote"');
    const { id } = await workspace('text');
    const attributes = { 'structured-run-output-enabled': false };
    await server.api('PATCH', `workspaces/${id}`, { data: { type: 'workspaces', attributes } });
    expect(await succeed('plan', '-no-color')).toContain('1 to add, 0 to change, 0 to destroy');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
  });

  test('§5.4 cancel stops the engine, keeps the state that there was, and frees the workspace', async () => {
    const { start } = await directory('canceled', slow(60));
    const begun = start(...apply);
    await statusIs('canceled', 'applying');
    const [run] = await runsOf('canceled');
    // The provisioner is to be at work.
    await expect.poll(async () => logOf(run.id, 'apply'), { timeout: 30_000, interval: 200 }).toContain('begun');
    await server.api('POST', `runs/${run.id}/actions/cancel`, {});
    await statusIs('canceled', 'canceled');
    await begun.ended;
    const { attributes } = await workspace('canceled');
    expect([attributes.locked, attributes['resource-count'] >= 1]).toEqual([false, true]);
  });

  async function logOf(runId: string, phase: 'plan' | 'apply'): Promise<string> {
    const { data } = await server.api('GET', `runs/${runId}/${phase}`);
    return (await fetch(data.attributes['log-read-url'])).text();
  }

  test('§2.2 what is sensitive is not in the log, and reaches the engine', async () => {
    const { succeed, run } = await directory('masked', slow(0));
    await setVariable('masked', { key: 'SECRET_TEXT', value: 'open sesame', category: 'env', sensitive: true });
    await succeed(...apply);
    const [made] = await runsOf('masked');
    const log = await logOf(made.id, 'apply');
    expect([/begun \*\*\*/.test(log), log.includes('sesame')]).toEqual([true, false]);
    expect((await run('plan', '-no-color', '-detailed-exitcode')).status).toBe(0);
  });

  test('§2.2 two at once in one workspace: the second waits for the first', async () => {
    const one = await directory('contended', slow(4));
    const two = await directory('contended', slow(4));
    const [first, second] = [one.start(...apply), two.start(...apply, '-var', 'color=second')];
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ status: 0 }, { status: 0 }]);
    const ends = (await runsOf('contended')).map((run: { attributes: { status: string } }) => run.attributes.status);
    expect(ends).toEqual(['applied', 'applied']);
  });

  test('§4.5 a run reads the outputs of another workspace only where that one shares them', async () => {
    const source = await directory('source');
    await source.succeed(...apply);
    const reader = await directory(
      'reader',
      `
      data "terraform_remote_state" "source" {
        backend = "remote"
        config = {
          hostname     = "${hostOf(server)}"
          organization = "${organization}"
          workspaces   = { name = "source" }
        }
      }
      output "read" { value = data.terraform_remote_state.source.outputs.color }`,
    );
    const refused = await reader.run('plan', '-no-color');
    expect(refused.status).toBe(1);
    const [sourceId, readerId] = [(await workspace('source')).id, (await workspace('reader')).id];
    await server.api('POST', `workspaces/${sourceId}/relationships/remote-state-consumers`, {
      data: [{ type: 'workspaces', id: readerId }],
    });
    await reader.succeed(...apply);
    expect(await reader.succeed('output', '-raw', 'read')).toBe('blue');
  });

  test('§4.2 an engine that the agent does not have is an error that names what there is', async () => {
    const { run } = await directory('old');
    const { id } = await workspace('old');
    const attributes = { 'terraform-version': '1.1.9' };
    await server.api('PATCH', `workspaces/${id}`, { data: { type: 'workspaces', attributes } });
    const failed = await run('plan', '-no-color');
    expect(failed.status).toBe(1);
    expect(failed.output).toMatch(/no engine of version 1\.1\.9\. It has .*\d\.\d+\.\d+/);
  });

  test('§2.2 a faulty configuration errs, and says why', async () => {
    const { run } = await directory('faulty', 'resource "terraform_data" "two" { input = var.missing }');
    const failed = await run('plan', '-no-color');
    expect([failed.status, /Reference to undeclared input variable/.test(failed.output)]).toEqual([1, true]);
    await statusIs('faulty', 'errored');
  });

  test('§4.2 an applied run begins one in the workspace that names its own as a source', async () => {
    const [source, target] = [await directory('trigger-source'), await directory('trigger-target')];
    await target.succeed(...apply);
    const [sourceId, targetId] = [(await workspace('trigger-source')).id, (await workspace('trigger-target')).id];
    await server.api('POST', `workspaces/${targetId}/run-triggers`, {
      data: { type: 'run-triggers', relationships: { sourceable: { data: { type: 'workspaces', id: sourceId } } } },
    });
    await source.succeed(...apply);
    const triggered = async () => (await runsOf('trigger-target'))[0].attributes;
    await expect.poll(async () => (await triggered()).source, { timeout: 30_000 }).toBe('tfe-run-trigger');
    await statusIs('trigger-target', 'planned_and_finished');
  });

  describe('agents of a pool', () => {
    let agent: ChildProcess;
    let poolId: string;
    let output = '';
    beforeAll(async () => {
      const pool = { data: { type: 'agent-pools', attributes: { name: 'own' } } };
      poolId = (await server.api('POST', `organizations/${organization}/agent-pools`, pool)).data.id;
      const token = { data: { type: 'authentication-tokens', attributes: { description: 'agents' } } };
      const made = await server.api('POST', `agent-pools/${poolId}/authentication-tokens`, token);
      agent = spawn(process.execPath, [...program, 'agent', '--url', server.address, '--name', 'first'], {
        env: {
          PATH: process.env['PATH'],
          TERRANE_AGENT_TOKEN: made.data.attributes.token,
          TERRANE_AGENT_DIR: join(createDirectory(), 'agent'),
        },
      });
      agent.stderr!.on('data', chunk => (output += chunk));
      agent.stdout!.on('data', chunk => (output += chunk));
    });
    afterAll(async () => {
      if (agent.exitCode === null) agent.kill('SIGKILL');
    });
    const agents = async () => (await server.api('GET', `agent-pools/${poolId}/agents`)).data;
    const statusOfAgent = async () => (await agents())[0]?.attributes.status;

    test('§4.2 execute what is in the mode `agent`, and show in the documents of plan and apply', async () => {
      const { succeed } = await directory('pooled');
      const { id } = await workspace('pooled');
      const attributes = { 'execution-mode': 'agent', 'agent-pool-id': poolId };
      await server.api('PATCH', `workspaces/${id}`, { data: { type: 'workspaces', attributes } });
      await succeed(...apply);
      const [run] = await runsOf('pooled');
      const { data } = await server.api('GET', `runs/${run.id}/plan`);
      expect(data.attributes['execution-details']).toMatchObject({
        mode: 'agent',
        'agent-name': 'first',
        'agent-pool-name': 'own',
      });
      expect(await statusOfAgent()).toBe('idle');
    });

    /** An apply whose server is killed while its provisioner is at work, and started again. */
    async function killedDuring(name: string, seconds: number): Promise<void> {
      const { start } = await directory(name, slow(seconds));
      const { id } = await workspace(name);
      const attributes = { 'execution-mode': 'agent', 'agent-pool-id': poolId };
      await server.api('PATCH', `workspaces/${id}`, { data: { type: 'workspaces', attributes } });
      const begun = start(...apply);
      await statusIs(name, 'applying');
      const [run] = await runsOf(name);
      await expect.poll(async () => logOf(run.id, 'apply'), { timeout: 30_000, interval: 200 }).toContain('begun');
      const { port } = new URL(server.address);
      await server.stop('SIGKILL');
      begun.child.kill('SIGKILL');
      server = await startServer({
        PORT: port,
        TERRANE_DATA_DIR: server.dataDirectory,
        TERRANE_BUILTIN_AGENT: 'on',
        TERRANE_AGENT_DIR: work,
      });
    }

    test('§3 a server that is killed and comes back in the middle of an apply finds it done', async () => {
      await killedDuring('outlasting', 30);
      await statusIs('outlasting', 'applied');
      const { attributes } = await workspace('outlasting');
      expect([attributes.locked, attributes['resource-count']]).toEqual([false, 2]);
      const [run] = await runsOf('outlasting');
      const log = await logOf(run.id, 'apply');
      const summaries = log.match(/Apply complete/g)?.length;
      expect([summaries, log.endsWith('\u0003')]).toEqual([1, true]);
    });

    test('end their job when they are asked to stop, and take their leave', async () => {
      const { start } = await directory('draining', slow(5));
      const { id } = await workspace('draining');
      const attributes = { 'execution-mode': 'agent', 'agent-pool-id': poolId };
      await server.api('PATCH', `workspaces/${id}`, { data: { type: 'workspaces', attributes } });
      const begun = start(...apply);
      await statusIs('draining', 'applying');
      agent.kill('SIGTERM');
      const [code] = await once(agent, 'exit');
      expect([code, output.includes('job done')]).toEqual([0, true]);
      expect((await begun.ended).status).toBe(0);
      expect(await statusOfAgent()).toBe('exited');
    });
  });
});
