// terraform and tofu, unmodified, with their runs executed by an agent of a pool, in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import type { Directory } from '../command-line.ts';
import { apply, describeExecuting, organization, slow } from './executing.ts';

describeExecuting(executing => {
  const { server, workspace, runsOf, statusIs, logOf } = executing;
  let agent: ChildProcess;
  let poolId: string;
  let output = '';
  beforeAll(async () => {
    const { api, address } = server();
    const pool = { data: { type: 'agent-pools', attributes: { name: 'own' } } };
    poolId = (await api('POST', `organizations/${organization}/agent-pools`, pool)).data.id;
    const token = { data: { type: 'authentication-tokens', attributes: { description: 'agents' } } };
    const made = await api('POST', `agent-pools/${poolId}/authentication-tokens`, token);
    agent = spawn(process.execPath, [...program, 'agent', '--url', address, '--name', 'first'], {
      env: {
        PATH: process.env['PATH'],
        TERRANE_AGENT_TOKEN: made.data.attributes.token,
        TERRANE_AGENT_DIR: join(createDirectory(), 'agent'),
      },
    });
    agent.stderr!.on('data', chunk => (output += chunk));
    agent.stdout!.on('data', chunk => (output += chunk));
  });
  afterAll(() => {
    if (agent.exitCode === null) agent.kill('SIGKILL');
  });
  const agents = async () => (await server().api('GET', `agent-pools/${poolId}/agents`)).data;
  const statusOfAgent = async () => (await agents())[0]?.attributes.status;

  async function directory(name: string, more?: string): Promise<Directory> {
    const made = await executing.directory(name, more);
    await executing.setWorkspace(name, { 'execution-mode': 'agent', 'agent-pool-id': poolId });
    return made;
  }

  test('§4.2 agents execute what is in the mode `agent`, and show in the documents of plan and apply', async () => {
    const { succeed } = await directory('pooled');
    await succeed(...apply);
    const [run] = await runsOf('pooled');
    const { data } = await server().api('GET', `runs/${run.id}/plan`);
    expect(data.attributes['execution-details']).toMatchObject({
      mode: 'agent',
      'agent-name': 'first',
      'agent-pool-name': 'own',
    });
    expect(await statusOfAgent()).toBe('idle');
  });

  test('§3 a server that is killed and comes back in the middle of an apply finds it done', async () => {
    const { start } = await directory('outlasting', slow(30));
    const begun = start(...apply);
    const { id } = await executing.slowHasBegun('outlasting');
    await executing.killAndStart(() => begun.child.kill('SIGKILL'));
    await statusIs('outlasting', 'applied');
    const { attributes } = await workspace('outlasting');
    expect([attributes.locked, attributes['resource-count']]).toEqual([false, 2]);
    const log = await logOf(id, 'apply');
    const summaries = log.match(/Apply complete/g)?.length;
    expect([summaries, log.endsWith('\u0003')]).toEqual([1, true]);
  });

  test('an agent that is asked to stop ends its job, and takes its leave', async () => {
    const { start } = await directory('draining', slow(5));
    const begun = start(...apply);
    await statusIs('draining', 'applying');
    agent.kill('SIGTERM');
    const [code] = await once(agent, 'exit');
    expect([code, output.includes('job done')]).toEqual([0, true]);
    expect((await begun.ended).status).toBe(0);
    expect(await statusOfAgent()).toBe('exited');
  });
});
