import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { agentPool } from '../../../test/builders/workspace.ts';
import { type Execution, type ExecutionGiven, inheritedExecution, settleExecution } from './execution-mode.ts';

const own = (mode: Execution['execution_mode'], pool: string | null = null): Execution => ({
  overwrites_execution_mode: true,
  execution_mode: mode,
  agent_pool_id: pool,
});

/** A mode and a pool that do not count, since the project's do. */
const dormant: Execution = { ...own('agent', 'apool-1'), overwrites_execution_mode: false };

describe('§4.2 the rule', () => {
  const settled: [string, ExecutionGiven, Execution, Execution][] = [
    ['nothing given → follows the project', {}, inheritedExecution, inheritedExecution],
    ['nothing given → keeps its own', {}, own('local'), own('local')],
    ['a mode → its own', { 'execution-mode': 'local' }, inheritedExecution, own('local')],
    ['operations false → local', { operations: false }, inheritedExecution, own('local')],
    ['operations true → remote', { operations: true }, own('local'), own('remote')],
    [
      'operations beside overwrites true',
      { operations: true, 'setting-overwrites': { 'execution-mode': true, 'agent-pool': true } },
      inheritedExecution,
      own('remote'),
    ],
    [
      'agent with a pool',
      { 'execution-mode': 'agent', 'agent-pool-id': 'apool-1' },
      inheritedExecution,
      own('agent', 'apool-1'),
    ],
    ['agent again → keeps the pool', { 'execution-mode': 'agent' }, own('agent', 'apool-1'), own('agent', 'apool-1')],
    ['another pool alone', { 'agent-pool-id': 'apool-2' }, own('agent', 'apool-1'), own('agent', 'apool-2')],
    ['remote → the pool goes', { 'execution-mode': 'remote' }, own('agent', 'apool-1'), own('remote')],
    [
      'an empty pool beside remote is absent',
      { 'execution-mode': 'remote', 'agent-pool-id': '' },
      inheritedExecution,
      own('remote'),
    ],
    [
      'overwrites false → the project again',
      { 'setting-overwrites': { 'execution-mode': false } },
      own('local'),
      inheritedExecution,
    ],
    [
      'the pool alone follows again',
      { 'setting-overwrites': { 'agent-pool': false } },
      own('local'),
      inheritedExecution,
    ],
    ['what does not count says nothing', { 'setting-overwrites': {} }, dormant, dormant],
    [
      'a whole document sent back → still follows',
      { 'execution-mode': 'remote', 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } },
      inheritedExecution,
      inheritedExecution,
    ],
  ];
  test.each(settled)('§4.2 %s', (_name, given, before, after) => {
    expect(settleExecution(given, before)).toEqual({ execution: after, faults: [] });
  });

  const refused: [string, ExecutionGiven, Execution, string[]][] = [
    [
      'operations with execution-mode',
      { operations: true, 'execution-mode': 'remote' },
      inheritedExecution,
      ['operations'],
    ],
    ['agent without a pool', { 'execution-mode': 'agent' }, inheritedExecution, ['agent-pool-id']],
    ['a pool with remote', { 'execution-mode': 'remote', 'agent-pool-id': 'p' }, inheritedExecution, ['agent-pool-id']],
    ['a pool with operations', { operations: true, 'agent-pool-id': 'p' }, inheritedExecution, ['agent-pool-id']],
    ['a pool while following', { 'agent-pool-id': 'p' }, inheritedExecution, ['agent-pool-id']],
    ['a pool while following, whatever was its own', { 'agent-pool-id': 'p' }, dormant, ['agent-pool-id']],
    ['agent without a pool, whatever was its own', { 'execution-mode': 'agent' }, dormant, ['agent-pool-id']],
    [
      'overwrites true without a mode',
      { 'setting-overwrites': { 'execution-mode': true } },
      inheritedExecution,
      ['execution-mode'],
    ],
    [
      'overwrites that differ',
      { 'execution-mode': 'local', 'setting-overwrites': { 'execution-mode': true, 'agent-pool': false } },
      inheritedExecution,
      ['setting-overwrites'],
    ],
  ];
  test.each(refused)('§4.2 refused: %s', (_name, given, before, attributes) => {
    const { execution, faults } = settleExecution(given, before);
    expect(faults.map(({ source }) => source)).toEqual(
      attributes.map(name => ({ pointer: `/data/attributes/${name}` })),
    );
    expect(execution).toEqual(before);
  });
});

describe('over HTTP', () => {
  const app = useApp();
  let acme: TestOrganization;
  let globex: TestOrganization;
  let pool: string;
  beforeAll(async () => {
    acme = await organization(app);
    globex = await organization(app);
    pool = await agentPool(app, acme);
  });
  const create = (attributes: object) =>
    app.post(`organizations/${acme.name}/workspaces`, acme.owner.token, bodyOf('workspaces', attributes));

  test('§4.2 an agent pool of another organization → 422, as one that does not exist', async () => {
    const foreign = await agentPool(app, globex);
    const answers = [foreign, 'apool-missing'].map(id =>
      create({ name: 'w', 'execution-mode': 'agent', 'agent-pool-id': id }),
    );
    const [one, other] = await Promise.all(answers);
    expect(one!.status).toBe(422);
    expect(one!.pointers).toEqual(['/data/attributes/agent-pool-id']);
    expect(one!.text).toBe(other!.text);
  });

  test('§4.2 mode and pool are inherited organization → project → workspace, until the workspace overwrites them', async () => {
    const created = await create({ name: 'inherits' });
    const shown = async () => (await app.get(`workspaces/${created.data.id}`, acme.owner.token)).data;
    const { sql } = { sql: app.store.read };
    await sql`update organizations set default_execution_mode = 'agent', default_agent_pool_id = ${pool}, revision = default where id = ${acme.key}`;
    expect((await shown()).attributes).toMatchObject({ 'execution-mode': 'agent', operations: true });
    expect((await shown()).relationships['agent-pool'].data).toEqual({ id: pool, type: 'agent-pools' });
    await sql`
      update projects set overwrites_execution_mode = true, default_execution_mode = 'local', revision = default where id = ${acme.projectId}`;
    expect((await shown()).attributes).toMatchObject({ 'execution-mode': 'local', operations: false });
    expect((await shown()).relationships['agent-pool'].data).toBe(null);
    const own = await app.patch(
      `workspaces/${created.data.id}`,
      acme.owner.token,
      bodyOf('workspaces', { 'execution-mode': 'remote' }),
    );
    expect(own.data.attributes).toMatchObject({
      'execution-mode': 'remote',
      'setting-overwrites': { 'execution-mode': true, 'agent-pool': true },
    });
    const back = bodyOf('workspaces', { 'setting-overwrites': { 'execution-mode': false, 'agent-pool': false } });
    expect((await app.patch(`workspaces/${created.data.id}`, acme.owner.token, back)).data.attributes).toMatchObject({
      'execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': false, 'agent-pool': false },
    });
  });
});
