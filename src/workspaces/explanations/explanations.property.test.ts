/** Explanations against the requests themselves: yes is said exactly where the request succeeds, and the grants add up to it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { type BuiltGraph, buildGraph, type GraphCaller, permissionGraph } from '../../../test/cast/permission-graph.ts';
import { actions } from '../../access/policy.ts';
import type { AnyEndpoint } from '../../core/jsonapi/endpoint.ts';
import { endpoints } from '../../http/endpoints.ts';

const app = useApp();
const runs = { numRuns: 12, interruptAfterTimeLimit: 60_000 };
const timeout = 150_000;

const kinds: Readonly<Record<string, Parameter>> = {
  organization: 'organization_name',
  project: 'project_id',
  team: 'team_id',
  workspace: 'workspace_id',
};
const parameters = { organizations: 'organization_name', projects: 'project_id', teams: 'team_id' } as const;
type Parameter = 'organization_name' | 'project_id' | 'team_id' | 'workspace_id';

/** Actions that no request asks for whose path names the record alone, and why. The list only shrinks. */
const askedElsewhere: Record<string, string> = {
  'organization_name manage-variable-sets': 'of a set, by its own address',
  'project_id create-workspace': 'its project stands in the body',
  'project_id list-teams': 'its project stands in the query',
  'project_id manage-teams': 'its project stands in the body',
  'project_id write-variable-sets': 'of a set, by its own address',
  'workspace_id delete-state-data': 'of a state, by its own address',
  'workspace_id queue-run': 'its workspace stands in the body',
};

/** Every endpoint whose path names one record and nothing else, by the action that it needs. */
function endpointsOn(parameter: Parameter): Map<string, AnyEndpoint[]> {
  const byAction = new Map<string, AnyEndpoint[]>();
  for (const one of endpoints) {
    const [kind, action] = one.needs.action.split(':') as [string, string];
    if (one.signed || kinds[kind] !== parameter || !pathOn(one, parameter)) continue;
    byAction.set(action, [...(byAction.get(action) ?? []), one]);
  }
  return byAction;
}

const pathOn = ({ paths }: AnyEndpoint, parameter: Parameter) =>
  paths.find(path => path.match(/:\w+/g)?.join() === `:${parameter}`);

/** Whoever is let in meets this condition, and nothing is deleted. */
const never = { 'if-match': '"of something else"' };
/** Everybody else is told that nothing is there, or that they may not. */
const isLetIn = ({ status }: Answer) => status !== 404 && status !== 403;

/** What is not read without. */
const queries: Readonly<Record<string, string>> = {
  'run-triggers.list': '?filter[run-trigger][type]=outbound',
  'workspaces.who': '?action=lock',
};

/** Refused or not, it leaves everything as it was. */
async function asks(one: AnyEndpoint, parameter: Parameter, id: string, token: string): Promise<boolean> {
  const path = pathOn(one, parameter)!.slice(1).replace(`:${parameter}`, id);
  const isRead = one.method === 'GET';
  const query = queries[one.operation] ?? '';
  return isLetIn(await app.call(one.method, path + query, { token, ...(!isRead && { body: {}, headers: never }) }));
}

/** What is said of each action is what becomes of every request that needs it. What would be read may not be there yet. */
async function expectAnswers(parameter: Parameter, id: string, token: string, own: Map<string, Document>) {
  for (const [action, requests] of endpointsOn(parameter)) {
    const isAllowed = own.get(action)!['is-allowed'];
    for (const one of requests) {
      const isIn = await asks(one, parameter, id, token);
      const isWhole = 'collection' in one.answer || pathOn(one, parameter)!.endsWith(`:${parameter}`);
      const mayBeMissing = one.method === 'GET' && !isWhole;
      if (isAllowed && mayBeMissing) continue;
      expect([one.operation, action, isIn]).toEqual([one.operation, action, isAllowed]);
    }
  }
}

/** One record of each kind is asked everything; of the others permissions are compared, which is a hundred requests less. */
const isAskedAll = (id: string, { acme, projectIds, teams, workspaces }: BuiltGraph) =>
  [acme.name, projectIds[0], teams[0]?.id, workspaces[0]?.id].includes(id);

async function explanationsOf(path: string, token: string, query = ''): Promise<Map<string, Document>> {
  const answer = await app.get(`${path}/explain${query}`, token);
  expect(answer.status, answer.text).toBe(200);
  return new Map(answer.data.map((one: Document) => [one.attributes.action, one.attributes]));
}

async function expectTrue(workspaceId: string, caller: GraphCaller, built: BuiltGraph): Promise<void> {
  const shown = await app.get(`workspaces/${workspaceId}`, caller.token);
  if (shown.status === 404) {
    expect((await app.get(`workspaces/${workspaceId}/explain`, caller.token)).status).toBe(404);
    return;
  }
  const own = await explanationsOf(`workspaces/${workspaceId}`, caller.token);
  if (isAskedAll(workspaceId, built)) await expectAnswers('workspace_id', workspaceId, caller.token, own);
  for (const [name, isAllowed] of Object.entries(shown.data.attributes.permissions)) {
    expect([name, own.get(name)!['is-allowed']]).toEqual([name, isAllowed]);
  }
  for (const [action, one] of own) expectReasons(action, one);
  if (caller.userId === undefined) return;
  // The owner is told of this person what this person is told.
  const told = await explanationsOf(`workspaces/${workspaceId}`, built.acme.owner.token, `?user=${caller.userId}`);
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

test('§5.4 every action that is explained is asked for by requests, but for those that are listed', () => {
  const told = Object.entries(kinds).flatMap(([kind, parameter]) => {
    const named = actions.filter(name => name.startsWith(`${kind}:`)).map(name => name.slice(kind.length + 1));
    const asked = endpointsOn(parameter);
    return named.filter(action => !asked.has(action)).map(action => `${parameter} ${action}`);
  });
  expect(told.sort()).toEqual(Object.keys(askedElsewhere).sort());
});

test('§5.4 explain says yes exactly where the request succeeds, who names those who may, and reach what a team reads', {
  timeout,
}, async () => {
  const property = fc.asyncProperty(permissionGraph, async graph => {
    const built = await buildGraph(app, graph);
    for (const { id } of built.workspaces.slice(0, 2)) {
      for (const caller of built.callers) await expectTrue(id, caller, built);
      await expectHolders(id, built);
    }
    await expectReach(built);
    for (const caller of built.callers) await expectSurroundings(caller, built);
  });
  await fc.assert(property, runs);
});

/** Of projects, teams and the organization: the permissions that their documents show. */
async function expectSurroundings(caller: GraphCaller, built: BuiltGraph): Promise<void> {
  const { acme, projectIds, teams } = built;
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
    const [type, id] = path.split('/') as [keyof typeof parameters, string];
    if (isAskedAll(id, built)) await expectAnswers(parameters[type], id, caller.token, own);
    for (const [permission, action] of Object.entries(permissions)) {
      const isAllowed = shown.data.attributes.permissions[permission];
      expect([path, action, own.get(action)!['is-allowed']]).toEqual([path, action, isAllowed]);
    }
    for (const one of own.values()) if (one['is-allowed']) expect(one.grants).not.toEqual([]);
  }
}
