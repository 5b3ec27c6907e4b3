/** Run triggers at the same moment, on two servers: never more sources than a workspace may have, and nothing stands still. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { runTrigger, workspace } from '../../../test/builders/workspace.ts';
import { asked, openPair, type Pair } from '../../../test/running/pair.ts';

const rounds = asked('TERRANE_TEST_TRIGGER_ROUNDS', 3);

let pair: Pair;
let acme: TestOrganization;
beforeAll(async () => {
  pair = await openPair();
  acme = await organization(pair.one);
});
afterAll(() => pair.close());

const create = (index: number, workspaceId: string, sourceId: string) =>
  pair
    .either(index)
    .post(
      `workspaces/${workspaceId}/run-triggers`,
      acme.owner.token,
      bodyOf('run-triggers', {}, { sourceable: { data: { type: 'workspaces', id: sourceId } } }),
    );

const several = (count: number) => Promise.all(Array.from({ length: count }, () => workspace(pair.one, acme)));

const sourcesOf = async (id: string): Promise<string[]> => {
  const rows = await pair.one.store.read<{ sourceable_id: string }[]>`
    select run_triggers.sourceable_id from run_triggers where run_triggers.workspace_id = ${id}`;
  return rows.map(row => row.sourceable_id);
};

test(`§4.2 of 25 sources at once 20 are taken and 5 refused, in ${rounds} rounds`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [id, ...sources] = await several(26);
    const answers = await Promise.all(sources.map((source, index) => create(index, id!, source)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(5).fill(422)]);
    expect(await sourcesOf(id!)).toHaveLength(20);
  }
});

test('§4.2 of 10 requests for the same source one gets 201, the others 422', async () => {
  const [id, source] = await several(2);
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index, id!, source!)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(422)]);
});

test('§4.2 workspaces that name each other at once both become sources', async () => {
  for (let round = 0; round < 5 * rounds; round += 1) {
    const [one, other] = await several(2);
    const answers = await Promise.all([create(0, one!, other!), create(1, other!, one!)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  }
});

test('§4.2 a source, or the workspace itself, that is deleted meanwhile leaves no trigger', async () => {
  for (let round = 0; round < 5 * rounds; round += 1) {
    const [id, source] = await several(2);
    const goes = round % 2 ? id! : source!;
    const [created, deleted] = await Promise.all([
      create(0, id!, source!),
      pair.two.delete(`workspaces/${goes}`, acme.owner.token),
    ]);
    expect([201, 404]).toContain(created.status);
    expect(deleted.status).toBe(204);
    expect(await sourcesOf(id!)).toEqual([]);
  }
});

test('§4.2 of 10 deletions of a trigger one gets 204, the others 404', async () => {
  const [id, source] = await several(2);
  const trigger = await runTrigger(pair.one, id!, source!);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => pair.either(index).delete(`run-triggers/${trigger}`, acme.owner.token)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
});
