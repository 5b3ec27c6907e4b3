/** §5.4: what SQL says of variable sets, beside what the words say, for everybody and every set of a small world. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { variableSet } from '../../test/builders/workspace.ts';
import { actorsOf, buildGranted, type Granted, nothingAsked } from '../../test/cast/granted.ts';
import type { Actor } from '../core/access/actor.ts';
import type { Powers } from '../core/access/powers.ts';
import { organizationPowers, organizationPowersOf } from './organization-access.ts';
import { variableSetPowers } from './policy.ts';
import { projectPowers, projectPowersFromOrganization } from './project-levels.ts';
import {
  appliesTo,
  managesSetsOf,
  type SetGrants,
  setGrantColumns,
  setIsReadable,
  setPowers,
  setsWithReadableVariables,
} from './variable-sets.ts';
import { workspacePowers, workspacePowersFromOrganization } from './workspace-levels.ts';

interface VariableSet {
  id: string;
  organization_id: string;
  project_id: string | null;
  global: boolean;
  workspaces: string[];
  projects: string[];
}

interface Workspace {
  id: string;
  organization_id: string;
  project_id: string;
}

let world: Granted;
let everybody: [string, Actor][];
let sets: VariableSet[];
let workspaces: Workspace[];
let projects: { id: string; organization_id: string }[];
let onWorkspaces: { team_id: string; workspace_id: string; powers: number }[];
let onProjects: { team_id: string; project_id: string; powers: number; workspace_powers: number }[];

beforeAll(async () => {
  world = await buildGranted();
  const { read } = world.store;
  const { app, acme, globex, workspaces: named, projects: places } = world;
  const { platform, quiet } = places;
  const given: [object, { workspaces?: string[]; projects?: string[] }][] = [
    [{}, {}],
    [{ global: true }, {}],
    [{}, { workspaces: [named.own] }],
    [{}, { workspaces: [named.beside, named.hushed] }],
    [{}, { workspaces: [named.open] }],
    [{}, { projects: [platform] }],
    [{}, { projects: [quiet, acme.projectId] }],
    [{ project_id: platform }, {}],
    [{ project_id: platform }, { workspaces: [named.closed] }],
    [{ project_id: platform }, { projects: [platform] }],
    [{ project_id: quiet }, { workspaces: [named.hushed] }],
    // None that requests could make: a set stays in its project, and in its organization.
    [{ project_id: platform }, { workspaces: [named.own, named.hushed] }],
    [{ project_id: quiet }, { projects: [platform] }],
  ];
  for (const [columns, where] of given) await variableSet(app, acme, { ...columns }, where);
  await variableSet(app, globex, { global: true });
  await variableSet(app, globex, {}, { workspaces: [named.own], projects: [platform] });
  everybody = Object.entries(actorsOf(world));
  sets = await read<VariableSet[]>`
    select variable_sets.*,
      array(select workspace_id from variable_set_workspaces where variable_set_id = variable_sets.id) as workspaces,
      array(select project_id from variable_set_projects where variable_set_id = variable_sets.id) as projects
    from variable_sets order by variable_sets.id`;
  workspaces = await read<Workspace[]>`select * from workspaces order by workspaces.id`;
  projects = await read<typeof projects>`select * from projects`;
  onWorkspaces = await read<typeof onWorkspaces>`select * from team_workspaces`;
  onProjects = await read<typeof onProjects>`select * from team_projects`;
});
afterAll(() => world?.close());

const union = (all: readonly number[]) => all.reduce((some, powers) => some | powers, 0);
const mayBeIn = (set: VariableSet, organizationId: string, projectId: string) =>
  set.organization_id === organizationId && (set.project_id === null || set.project_id === projectId);

const applies = (set: VariableSet, { id, organization_id, project_id }: Workspace) =>
  mayBeIn(set, organization_id, project_id) &&
  (set.global || set.workspaces.includes(id) || set.projects.includes(project_id));

const reaches = (set: VariableSet, id: string, organizationId: string) =>
  mayBeIn(set, organizationId, id) &&
  (set.global ||
    set.projects.includes(id) ||
    workspaces.some(one => one.project_id === id && set.workspaces.includes(one.id)));

/** What the teams of an actor have where the set applies, and on the project that owns it. */
function grantsOf({ teamIds }: Actor, set: VariableSet): { granted: number; owner: number } {
  const own = <Given extends { team_id: string }>(all: readonly Given[]) =>
    all.filter(({ team_id }) => teamIds.includes(team_id));
  const there = own(onWorkspaces).filter(({ workspace_id }) =>
    applies(set, workspaces.find(({ id }) => id === workspace_id)!),
  );
  const around = own(onProjects).filter(({ project_id: of }) =>
    reaches(set, of, projects.find(({ id }) => id === of)!.organization_id),
  );
  return {
    granted: union([...there.map(({ powers }) => powers), ...around.map(one => one.workspace_powers)]),
    owner: union(
      own(onProjects)
        .filter(({ project_id }) => project_id === set.project_id)
        .map(({ powers }) => powers),
    ),
  };
}

const manages = (actor: Actor, { key }: { key: string }) =>
  (['own', 'manage-workspaces', 'manage-projects'] as const).some(name =>
    organizationPowers.has(organizationPowersOf(actor, key), name),
  );

function powersOn(actor: Actor, set: VariableSet): { isReadable: boolean; readsVariables: boolean; manages: boolean } {
  const { granted, owner } = grantsOf(actor, set);
  const onAll = workspacePowersFromOrganization(actor, set.organization_id);
  const onOwner = projectPowersFromOrganization(actor, set.organization_id) | owner;
  const has = (name: 'read-variable-sets' | 'write-variable-sets', powers: number) =>
    projectPowers.has(powers as Powers<'project'>, name);
  const hasAll = manages(actor, { key: set.organization_id });
  const mayManage = set.project_id === null ? hasAll : has('write-variable-sets', onOwner);
  return {
    isReadable: hasAll || ((onAll | granted) & workspacePowers.bit.read) !== 0 || has('read-variable-sets', owner),
    readsVariables:
      mayManage ||
      ((onAll | granted) & workspacePowers.bit['read-variables']) !== 0 ||
      (set.project_id !== null && has('read-variable-sets', onOwner)),
    manages: mayManage,
  };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

async function expectOfAll(found: (actor: Actor) => Promise<unknown>, should: (actor: Actor) => unknown) {
  for (const [name, actor] of everybody) expect([name, await found(actor)]).toEqual([name, should(actor)]);
}

test('§5.4 a set applies to what it names, in its organization and in the project that owns it', async () => {
  const { read } = world.store;
  const pairs = await read<{ set: string; workspace: string }[]>`
    select variable_sets.id as set, workspaces.id as workspace from variable_sets
    join workspaces on ${appliesTo(read)}
    order by variable_sets.id, workspaces.id`;
  const should = sets.flatMap(set =>
    workspaces.filter(one => applies(set, one)).map(one => ({ set: set.id, workspace: one.id })),
  );
  expect(pairs).toEqual(should);
  expect(should.length).toBeGreaterThan(20);
});

test('§5.4 what teams have been given where a set applies, and on the project that owns it, is united', async () => {
  const { read } = world.store;
  const found = async (actor: Actor) => {
    const rows = await read<(SetGrants & { id: string })[]>`
      select variable_sets.id, ${setGrantColumns(read, actor)} from variable_sets order by variable_sets.id`;
    return rows.map(row => [row.id, row.granted_powers, row.owner_powers]);
  };
  await expectOfAll(found, actor =>
    sets.map(set => {
      const { granted, owner } = grantsOf(actor, set);
      return [set.id, granted, owner];
    }),
  );
});

test('§5.4 a set is there for whoever reads a workspace that it applies to, or the sets of its project', async () => {
  const { read } = world.store;
  await expectOfAll(
    async actor =>
      idsOf(
        await read<{ id: string }[]>`
        select variable_sets.id from variable_sets where ${setIsReadable(read, actor)}`,
      ),
    actor => idsOf(sets.filter(set => powersOn(actor, set).isReadable)),
  );
});

test('§5.4 who may read the variables of a set, and change it', async () => {
  const { read } = world.store;
  for (const { key } of [world.acme, world.globex])
    await expectOfAll(
      async actor => managesSetsOf(actor, key),
      actor => manages(actor, { key }),
    );
  const found = async (actor: Actor) => {
    const rows = await read<(SetGrants & { id: string })[]>`
      select variable_sets.id, variable_sets.organization_id, variable_sets.project_id,
        ${setGrantColumns(read, actor)}
      from variable_sets order by variable_sets.id`;
    return rows.map(row => [row.id, setPowers(actor, row)]);
  };
  await expectOfAll(found, actor =>
    sets.map(set => {
      const { readsVariables, manages: manage } = powersOn(actor, set);
      return [set.id, variableSetPowers.where({ read: true, 'read-variables': readsVariables, manage })];
    }),
  );
});

test('§5.4 the sets whose variables somebody may read, of those that are named', async () => {
  const { read } = world.store;
  const ids = [...idsOf(sets), 'varset-0000000000000000'];
  await expectOfAll(
    async actor => (await setsWithReadableVariables(read, actor, ids)).sort(),
    actor =>
      idsOf(
        sets.filter(set => {
          const { isReadable, readsVariables } = powersOn(actor, set);
          return isReadable && readsVariables;
        }),
      ),
  );
  const owner = everybody.find(([name]) => name === 'an owner')![1];
  const [first] = idsOf(sets.filter(({ organization_id }) => organization_id === world.acme.key));
  expect(await setsWithReadableVariables(read, owner, [first!])).toEqual([first]);
  expect(await setsWithReadableVariables(nothingAsked, owner, [])).toEqual([]);
});
