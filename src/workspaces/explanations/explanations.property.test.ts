/** Explanations against the requests themselves: yes is said exactly where the request succeeds, and the grants add up to it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { bodyOf } from '../../../test/builders/records.ts';
import { type BuiltGraph, buildGraph, type GraphCaller, permissionGraph } from '../../../test/cast/permission-graph.ts';

const app = useApp();
const runs = { numRuns: 12, interruptAfterTimeLimit: 60_000 };
const timeout = 150_000;

const nothing = { data: [] };

/** What each action is asked for by; refused or not, it leaves things as they were, or is undone. */
const requests: Record<string, (id: string, token: string) => Promise<Answer>> = {
  read: (id, token) => app.get(`workspaces/${id}`, token),
  update: (id, token) => app.patch(`workspaces/${id}`, token, bodyOf('workspaces', { description: 'changed' })),
  lock: (id, token) => app.post(`workspaces/${id}/actions/lock`, token),
  unlock: (id, token) => app.post(`workspaces/${id}/actions/unlock`, token),
  'force-unlock': (id, token) => app.post(`workspaces/${id}/actions/force-unlock`, token),
  'list-runs': (id, token) => app.get(`workspaces/${id}/runs`, token),
  'read-variables': (id, token) => app.get(`workspaces/${id}/vars`, token),
  'write-variables': (id, token) => app.post(`workspaces/${id}/vars`, token, bodyOf('vars', {})),
  'manage-tags': (id, token) => app.post(`workspaces/${id}/relationships/tags`, token, nothing),
  'replace-consumers': (id, token) =>
    app.patch(`workspaces/${id}/relationships/remote-state-consumers`, token, nothing),
  delete: (id, token) => app.call('POST', `workspaces/${id}/actions/safe-delete`, { token, headers: never }),
  'force-delete': (id, token) => app.call('DELETE', `workspaces/${id}`, { token, headers: never }),
};

/** Whoever is let in meets this condition, and nothing is deleted. */
const never = { 'if-match': '"of something else"' };
/** Everybody else is told that nothing is there, or that they may not. */
const isLetIn = ({ status }: Answer) => status !== 404 && status !== 403;

async function explanationsOf(path: string, token: string, query = ''): Promise<Map<string, Document>> {
  const answer = await app.get(`${path}/explain${query}`, token);
  expect(answer.status, answer.text).toBe(200);
  return new Map(answer.data.map((one: Document) => [one.attributes.action, one.attributes]));
}

async function expectTrue(workspaceId: string, caller: GraphCaller, { acme }: BuiltGraph): Promise<void> {
  const shown = await app.get(`workspaces/${workspaceId}`, caller.token);
  if (shown.status === 404) {
    expect((await app.get(`workspaces/${workspaceId}/explain`, caller.token)).status).toBe(404);
    return;
  }
  const own = await explanationsOf(`workspaces/${workspaceId}`, caller.token);
  for (const [action, request] of Object.entries(requests)) {
    const answer = await request(workspaceId, caller.token);
    expect([action, own.get(action)!['is-allowed']]).toEqual([action, isLetIn(answer)]);
  }
  for (const [name, isAllowed] of Object.entries(shown.data.attributes.permissions)) {
    expect([name, own.get(name)!['is-allowed']]).toEqual([name, isAllowed]);
  }
  for (const [action, one] of own) expectReasons(action, one);
  if (caller.userId === undefined) return;
  // The owner is told of this person what this person is told.
  const told = await explanationsOf(`workspaces/${workspaceId}`, acme.owner.token, `?user=${caller.userId}`);
  for (const [action, one] of own) expect(told.get(action)).toMatchObject({ ...one, givers: expect.any(Array) });
}

/** What is allowed comes from somewhere, and what is not has a way. */
function expectReasons(action: string, one: Document): void {
  if (one['is-allowed']) {
    expect([action, one.grants.length > 0, one['missing-powers'], one.ways]).toEqual([action, true, [], []]);
  } else {
    expect([action, one.grants, one['missing-powers'].length > 0]).toEqual([action, [], true]);
    expect([action, one.ways.length > 0, one.givers[0]]).toEqual([action, true, { 'team-id': null, name: 'owners' }]);
  }
}

/** §5.4: who may lock is who may lock. */
async function expectHolders(workspaceId: string, built: BuiltGraph): Promise<void> {
  const answer = await app.get(`workspaces/${workspaceId}/who?action=can-lock&page[size]=100`, built.acme.owner.token);
  expect([answer.status, answer.document.meta['is-complete']]).toEqual([200, true]);
  const named = answer.data.map(({ id }: Document) => id).sort();
  const able: string[] = [];
  for (const { token, userId } of built.callers) {
    const shown = await app.get(`workspaces/${workspaceId}`, token);
    if (userId && shown.data?.attributes.permissions['can-lock']) able.push(userId);
  }
  expect(named).toEqual(able.sort());
}

/** §5.4: what a team reaches is what its token reads, with the same permissions. */
async function expectReach(built: BuiltGraph): Promise<void> {
  const { token, teamIds } = built.callers[2]!;
  const list = await app.get(`organizations/${built.acme.name}/workspaces?page[size]=100`, token);
  const reach = await app.get(`teams/${teamIds[0]}/reach?page[size]=100`, built.acme.owner.token);
  const [read, reached] = [list.data, reach.data].map(data =>
    data
      .map(({ id, attributes }: Document) => [id, attributes.permissions] as const)
      .sort((one: Document, other: Document) => (one[0] < other[0] ? -1 : 1)),
  );
  expect(reached).toEqual(read);
  expect(reach.document.meta.pagination['total-count']).toBe(read!.length);
}

test('§5.4 explain says yes exactly where the request succeeds, who names those who may, and reach what a team reads', {
  timeout,
}, async () => {
  const property = fc.asyncProperty(permissionGraph, async graph => {
    const built = await buildGraph(app, graph);
    for (const { id } of built.workspaces.slice(0, 3)) {
      for (const caller of built.callers) await expectTrue(id, caller, built);
      await expectHolders(id, built);
    }
    await expectReach(built);
    for (const caller of built.callers) await expectSurroundings(caller, built);
  });
  await fc.assert(property, runs);
});

/** Of projects, teams and the organization: the permissions that their documents show. */
async function expectSurroundings(caller: GraphCaller, { acme, projectIds, teams }: BuiltGraph): Promise<void> {
  const places: [string, Record<string, string>][] = [
    ...projectIds.map((id): [string, Record<string, string>] => [
      `projects/${id}`,
      {
        'can-update': 'update',
        'can-create-workspace': 'create-workspace',
        'can-move-workspace': 'move-workspaces',
        'can-read-teams': 'list-teams',
        'can-manage-teams': 'manage-teams',
        'can-manage-varsets': 'write-variable-sets',
      },
    ]),
    ...teams.map(({ id }): [string, Record<string, string>] => [
      `teams/${id}`,
      { 'can-update-membership': 'manage-members', 'can-destroy': 'delete' },
    ]),
    [
      `organizations/${acme.name}`,
      { 'can-create-project': 'create-project', 'can-destroy': 'delete', 'can-update-oauth': 'manage-oauth-clients' },
    ],
  ];
  for (const [path, permissions] of places) {
    const shown = await app.get(path, caller.token);
    const answer = await app.get(`${path}/explain`, caller.token);
    expect([path, answer.status]).toEqual([path, shown.status]);
    if (shown.status !== 200) continue;
    const own = await explanationsOf(path, caller.token);
    expect([path, own.get('read')!['is-allowed']]).toEqual([path, true]);
    for (const [permission, action] of Object.entries(permissions)) {
      const isAllowed = shown.data.attributes.permissions[permission];
      expect([path, action, own.get(action)!['is-allowed']]).toEqual([path, action, isAllowed]);
    }
    for (const one of own.values()) if (one['is-allowed']) expect(one.grants).not.toEqual([]);
  }
}
