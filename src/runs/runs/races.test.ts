/** Runs at the same moment, on two servers: at every rest one run at most holds the workspace, and it is the current one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { configurationVersion, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { asked, openPair, type Pair } from '../../../test/running/pair.ts';
import { moveRun, type QueuedRun } from '../queue/move.ts';

const rounds = asked('TERRANE_TEST_RUN_ROUNDS', 5);

let pair: Pair;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  acme = await organization(pair.one);
});
afterAll(() => pair.close());

/** The runs that hold the workspace or wait for their turn in it, and what the workspace says. */
async function expectOneHolder(workspaceId: string): Promise<string[]> {
  const sql = pair.one.store.read;
  const [found] = await sql<Record<string, never>[]>`
    select workspaces.locked, workspaces.locked_by_type, workspaces.locked_by_id, workspaces.current_run_id,
      workspaces.current_run_status,
      array(select runs.id from runs where runs.workspace_id = workspaces.id and runs.status = 'plan_queued') as holders,
      array(
        select runs.id from runs where runs.workspace_id = workspaces.id and runs.status = 'pending'
        order by runs.position
      ) as pending
    from workspaces where workspaces.id = ${workspaceId}`;
  const { holders, pending } = found as unknown as { holders: string[]; pending: string[] };
  expect(holders.length).toBe(found!['locked'] && found!['locked_by_type'] === 'runs' ? 1 : 0);
  if (holders.length === 0) {
    if (!found!['locked']) expect(pending).toEqual([]);
    return pending;
  }
  expect(found).toMatchObject({
    locked_by_id: holders[0],
    current_run_id: holders[0],
    current_run_status: 'plan_queued',
  });
  return [...holders, ...pending];
}

test(`runs, ends of runs, locks and unlocks at once leave one holder, in ${rounds} rounds`, async () => {
  const id = await workspace(pair.one, acme);
  await configurationVersion(pair.one, acme, id);
  const { token } = acme.owner;
  const body = bodyOf('runs', {}, { workspace: { data: { type: 'workspaces', id } } });
  for (let round = 0; round < rounds; round += 1) {
    const made = await Promise.all(
      Array.from({ length: 10 }, (_, index) => pair.either(index).post('runs', token, body)),
    );
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    const waiting = await expectOneHolder(id);
    const ends = waiting.flatMap((run, index) =>
      ['cancel', index % 2 ? 'discard' : 'cancel'].map((action, server) =>
        pair.either(server).post(`runs/${run}/actions/${action}`, token),
      ),
    );
    const locks = ['lock', 'unlock', 'force-unlock', 'lock'].map((action, server) =>
      pair.either(server).post(`workspaces/${id}/actions/${action}`, token),
    );
    const answers = await Promise.all([...ends, ...locks]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => ![200, 202, 409].includes(status))).toEqual([]);
    expect(statuses.filter(status => status === 202)).toHaveLength(waiting.length);
    await pair.one.post(`workspaces/${id}/actions/force-unlock`, token);
    expect(await expectOneHolder(id)).toEqual([]);
  }
}, 120_000);

test('§2.2 transactions that move runs of one organization do not wait for each other, in whatever order they do', async () => {
  const ids = await Promise.all(
    Array.from({ length: 9 }, async () => run(pair.one, acme, await workspace(pair.one, acme))),
  );
  const runs = await pair.one.store.read<QueuedRun[]>`
    select runs.id, runs.workspace_id, runs.plan_id, runs.apply_id from runs where runs.id = any(${ids})`;
  let arrived = 0;
  let open = () => {};
  const allHaveMoved = new Promise<void>(resolve => {
    open = resolve;
  });
  const moveAndStay = (one: QueuedRun, index: number) =>
    // Each caller by itself, so that the lanes let all of them in.
    pair
      .either(index)
      .store.askedBy({ caller: one.id, hasLeft: false, statements: 0 })
      .transaction(async sql => {
        await moveRun(sql, one, index % 2 === 0 ? 'planning' : 'planned');
        arrived += 1;
        if (arrived === runs.length) open();
        await allHaveMoved;
        await moveRun(sql, one, index % 2 === 0 ? 'planned' : 'errored');
      });
  await Promise.all(runs.map(moveAndStay));
  expect(arrived).toBe(9);
});
