/** §3 at the same moment: two servers on one database, many callers. lock-processes.full.ts has two processes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { project, workspace } from '../../../test/builders/workspace.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';

let pair: Pair;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  acme = await organization(pair.one);
});
afterAll(() => pair.close());

test('§3 of 20 unlocks and force-unlocks at once exactly one gets 200', async () => {
  const id = await workspace(pair.one, acme);
  for (let round = 0; round < 5; round += 1) {
    await pair.one.post(`workspaces/${id}/actions/lock`, acme.owner.token);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        pair.either(index).post(`workspaces/${id}/actions/${index % 3 ? 'unlock' : 'force-unlock'}`, acme.owner.token),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  }
});

test('§3 locks against deletions, moves and updates: every answer is one of the table, and the row agrees with it', async () => {
  const target = await project(pair.one, acme);
  const { token } = acme.owner;
  for (let round = 0; round < 10; round += 1) {
    const id = await workspace(pair.one, acme);
    const path = `workspaces/${id}`;
    const move = bodyOf(
      'workspaces',
      { description: 'moved' },
      { project: { data: { type: 'projects', id: target } } },
    );
    const asks = [
      () => pair.one.post(`${path}/actions/lock`, token, { reason: 'race' }),
      () => pair.two.post(`${path}/actions/lock`, token, { reason: 'race' }),
      () => pair.one.post(`${path}/actions/unlock`, token),
      () => pair.two.patch(path, token, move),
      () => pair.one.patch(path, token, bodyOf('workspaces', { name: `renamed-${round}` })),
      () => pair.two.post(`${path}/actions/force-unlock`, token),
      ...(round % 2 ? [() => pair.one.post(`${path}/actions/safe-delete`, token)] : []),
    ];
    const answers = await Promise.all(asks.map(ask => ask()));
    for (const { status } of answers) expect([200, 204, 404, 409]).toContain(status);
    const after = await pair.one.get(path, token);
    expect(after.status).toBe(round % 2 ? 404 : 200);
    if (after.status === 404) continue;
    const { locked, description, name } = after.data.attributes;
    expect([description, name, after.data.relationships.project.data.id]).toEqual([
      'moved',
      `renamed-${round}`,
      target,
    ]);
    expect(after.data.relationships['locked-by'].data).toEqual(locked ? { type: 'users', id: acme.owner.id } : null);
    expect(after.data.attributes['locked-reason']).toBe(locked ? 'race' : null);
    const [locks, unlocks] = [answers.slice(0, 2), [answers[2]!, answers[5]!]].map(
      some => some.filter(({ status }) => status === 200).length,
    );
    expect(locks! - unlocks!).toBe(locked ? 1 : 0);
  }
});
