/** §5.4: what SQL says of who may see and do what, beside what the words say, for everybody and every record of a small world. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actorsOf, buildGranted, nothingAsked, type Granted as World } from '../../test/cast/granted.ts';
import type { Actor } from '../core/access/actor.ts';
import type { Powers } from '../core/access/powers.ts';
import type { Fragment } from '../core/store/store.ts';
import { namedProjects, namedProjectsWith, namedWorkspaces, namedWorkspacesWith } from './named.ts';
import { projectPowers, projectPowersFromOrganization } from './project-levels.ts';
import { projectGives, projectGrant, projectIsReadable } from './projects.ts';
import { teamIsVisible } from './teams.ts';
import { workspacePowers, workspacePowersFromOrganization } from './workspace-levels.ts';
import {
  type Granted,
  grantColumns,
  grantedPowers,
  workspaceIsReadable,
  workspaceIsReadableApart,
  workspaceMeets,
} from './workspaces.ts';

interface Workspace {
  id: string;
  organization_id: string;
  project_id: string;
  global_remote_state: boolean;
  project_remote_state: boolean;
}

let world: World;
let everybody: [string, Actor][];
let workspaces: Workspace[];
let projects: { id: string; organization_id: string }[];
let sharing: { workspace_id: string; consumer_id: string }[];
let onWorkspaces: { team_id: string; workspace_id: string; powers: number }[];
let onProjects: { team_id: string; project_id: string; powers: number; workspace_powers: number }[];

beforeAll(async () => {
  world = await buildGranted();
  const { read } = world.store;
  everybody = Object.entries(actorsOf(world));
  workspaces = await read<Workspace[]>`select * from workspaces order by workspaces.id`;
  projects = await read<typeof projects>`select * from projects order by projects.id`;
  sharing = await read<typeof sharing>`select * from remote_state_consumers`;
  onWorkspaces = await read<typeof onWorkspaces>`select * from team_workspaces`;
  onProjects = await read<typeof onProjects>`select * from team_projects`;
});
afterAll(() => world?.close());

const union = (all: readonly number[]) => all.reduce((some, powers) => some | powers, 0);
const isOn = (actor: Actor, { team_id }: { team_id: string }) => actor.teamIds.includes(team_id);

/** A run reads the state of those that share it with its workspace, in its organization alone (§4.5). */
function sharesWith(one: Workspace, consumer: Workspace): boolean {
  if (one.organization_id !== consumer.organization_id) return false;
  if (one.global_remote_state) return true;
  if (one.project_remote_state && one.project_id === consumer.project_id) return true;
  return sharing.some(({ workspace_id, consumer_id }) => workspace_id === one.id && consumer_id === consumer.id);
}

const runReads = ['read', 'read-state', 'read-state-outputs'] as const;
const runPowers = {
  plan: workspacePowers.of(...runReads, 'lock'),
  apply: workspacePowers.of(...runReads, 'lock', 'write-state'),
  task: workspacePowers.of('read'),
};

function powersOn(actor: Actor, one: Workspace): number {
  if (actor.run) {
    const { run } = actor;
    if (run.workspaceId === one.id) return runPowers[run.phase];
    const own = workspaces.find(({ id }) => id === run.workspaceId)!;
    return run.phase !== 'task' && sharesWith(one, own) ? workspacePowers.of(...runReads) : 0;
  }
  return union([
    workspacePowersFromOrganization(actor, one.organization_id),
    ...onWorkspaces.filter(given => isOn(actor, given) && given.workspace_id === one.id).map(({ powers }) => powers),
    ...onProjects
      .filter(given => isOn(actor, given) && given.project_id === one.project_id)
      .map(({ workspace_powers }) => workspace_powers),
  ]);
}

const powersOnProject = (actor: Actor, id: string, organizationId: string): number =>
  union([
    projectPowersFromOrganization(actor, organizationId),
    ...onProjects.filter(given => isOn(actor, given) && given.project_id === id).map(({ powers }) => powers),
  ]);

/** Whoever may read a workspace may read its project. */
const readsProject = (actor: Actor, { id, organization_id }: { id: string; organization_id: string }): boolean =>
  (powersOnProject(actor, id, organization_id) & projectPowers.bit.read) !== 0 ||
  workspaces.some(one => !actor.run && one.project_id === id && powersOn(actor, one) !== 0) ||
  onProjects.some(given => isOn(actor, given) && given.project_id === id);

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

async function workspaceIdsWhere(condition: Fragment): Promise<string[]> {
  return idsOf(await world.store.read<{ id: string }[]>`select workspaces.id from workspaces where ${condition}`);
}

async function projectIdsWhere(condition: Fragment): Promise<string[]> {
  return idsOf(await world.store.read<{ id: string }[]>`select projects.id from projects where ${condition}`);
}

/** For everybody: what is found, beside what should be. */
async function expectOfAll(
  found: (actor: Actor) => Promise<unknown>,
  should: (actor: Actor) => unknown,
  who = everybody,
): Promise<void> {
  for (const [name, actor] of who) expect([name, await found(actor)]).toEqual([name, should(actor)]);
}

describe('workspaces', () => {
  test('§5.4 what organization, project and workspace access give is united, and a run has what its phase needs', async () => {
    const { read } = world.store;
    const found = async (actor: Actor) => {
      const rows = await read<(Granted & { id: string })[]>`
        select workspaces.id, workspaces.organization_id, ${grantColumns(read, actor)} from workspaces
        order by workspaces.id`;
      return rows.map(row => [row.id, actor.run ? row.workspace_powers : grantedPowers(row, actor)]);
    };
    await expectOfAll(found, actor => workspaces.map(one => [one.id, powersOn(actor, one)]));
  });

  test('§5.4 a workspace is there for whoever has any power on it, whichever way it is asked', async () => {
    const { read } = world.store;
    const readable = (actor: Actor) => idsOf(workspaces.filter(one => powersOn(actor, one) !== 0));
    await expectOfAll(actor => workspaceIdsWhere(workspaceIsReadable(read, actor)), readable);
    for (const { key } of [world.acme, world.globex]) {
      const inOne = async (actor: Actor) => {
        const apart = workspaceIsReadableApart(read, actor, key);
        const here = (one: Fragment) => workspaceIdsWhere(read`workspaces.organization_id = ${key} and (${one})`);
        // Sorted, and not made one: a row fulfils one condition at most.
        return (await Promise.all(apart.map(here))).flat().sort();
      };
      await expectOfAll(inOne, actor =>
        idsOf(workspaces.filter(one => one.organization_id === key && powersOn(actor, one) !== 0)),
      );
    }
  });

  test('§5.4 whether somebody has one of several powers on a workspace', async () => {
    const { read } = world.store;
    const wanted = [...workspacePowers.names.map(name => workspacePowers.of(name)), workspacePowers.of('lock', 'plan')];
    const people = everybody.filter(([, actor]) => !actor.run);
    const inAcme = workspaces.filter(one => one.organization_id === world.acme.key);
    for (const anyOf of wanted) {
      const found = (actor: Actor) =>
        workspaceIdsWhere(read`workspaces.organization_id = ${world.acme.key}
          and ${workspaceMeets(read, actor, world.acme.key, { anyOf })}`);
      await expectOfAll(found, actor => idsOf(inAcme.filter(one => (powersOn(actor, one) & anyOf) !== 0)), people);
    }
  });
});

describe('projects and teams', () => {
  test('§5.4 what teams have been given on a project is united', async () => {
    const { read } = world.store;
    const found = async (actor: Actor) =>
      (
        await read<{ id: string; powers: number }[]>`
          select projects.id, ${projectGrant(read, actor)} as powers from projects order by projects.id`
      ).map(({ id, powers }) => [id, powers]);
    await expectOfAll(found, actor => projects.map(({ id }) => [id, powersOnProject(actor, id, 'nowhere')]));
  });

  test('§5.4 a project is there for whoever has access to it or to a workspace in it', async () => {
    const found = (actor: Actor) => projectIdsWhere(projectIsReadable(world.store.read, actor));
    await expectOfAll(found, actor => idsOf(projects.filter(one => readsProject(actor, one))));
  });

  test('§5.4 whether somebody has a power on a project', async () => {
    for (const power of projectPowers.names) {
      const found = (actor: Actor) => projectIdsWhere(projectGives(world.store.read, actor, power));
      const has = (actor: Actor, { id, organization_id }: (typeof projects)[number]) =>
        projectPowers.has(powersOnProject(actor, id, organization_id) as Powers<'project'>, power);
      await expectOfAll(found, actor => idsOf(projects.filter(one => has(actor, one))));
    }
  });

  test('§5.3 members see visible teams and their own, owners all, others none', async () => {
    const { read } = world.store;
    await read`update teams set visibility = 'organization' where teams.id = any(${[world.teams.none, world.teams.reading]})`;
    const teams = await read<{ id: string; organization_id: string; visibility: string }[]>`select * from teams`;
    const found = async (actor: Actor) =>
      idsOf(await read<{ id: string }[]>`select teams.id from teams where ${teamIsVisible(read, actor)}`);
    const sees = (actor: Actor, { id, organization_id, visibility }: (typeof teams)[number]) => {
      const standing = actor.standings.get(organization_id);
      if (actor.teamIds.includes(id) || standing?.isOwner) return true;
      return visibility === 'organization' && standing?.isMember === true;
    };
    await expectOfAll(found, actor => idsOf(teams.filter(one => sees(actor, one))));
  });
});

describe('records that a request names', () => {
  const all = () => [...workspaces.map(({ id }) => id), 'ws-0000000000000000'];
  const found = (ids: Set<string>) => [...ids].sort();

  test('§5.4 workspaces are found in the organization, or the project, where they are named', async () => {
    const { acme, store, projects: named } = world;
    for (const project_id of [undefined, null, named.platform]) {
      const where = { organization_id: acme.key, ...(project_id !== undefined && { project_id }) };
      const here = (one: Workspace) =>
        one.organization_id === acme.key && (!project_id || one.project_id === project_id);
      await expectOfAll(
        async actor => found(await namedWorkspaces(store.read, actor, where, all())),
        actor => idsOf(workspaces.filter(one => here(one) && powersOn(actor, one) !== 0)),
      );
    }
    const few = [world.workspaces.own, world.workspaces.foreign];
    const owner = everybody.find(([name]) => name === 'an owner')![1];
    expect(found(await namedWorkspaces(store.read, owner, { organization_id: acme.key }, few))).toEqual([few[0]]);
    expect(await namedWorkspaces(nothingAsked, owner, { organization_id: acme.key }, [])).toEqual(new Set());
  });

  test('§5.4 workspaces with a power are found in the organization where they are named', async () => {
    const { acme, store } = world;
    const anyOf = workspacePowers.of('lock', 'administer');
    await expectOfAll(
      async actor => found(await namedWorkspacesWith(store.read, actor, acme.key, all(), { action: 'lock', anyOf })),
      actor =>
        idsOf(workspaces.filter(one => one.organization_id === acme.key && (powersOn(actor, one) & anyOf) !== 0)),
    );
    const owner = everybody.find(([name]) => name === 'an owner')![1];
    const few = [world.workspaces.own];
    expect(found(await namedWorkspacesWith(store.read, owner, acme.key, few, { action: 'lock', anyOf }))).toEqual(few);
  });

  test('§5.4 projects are found where they are named, and with a power', async () => {
    const { acme, store, projects: named } = world;
    const ids = [...projects.map(({ id }) => id), 'prj-0000000000000000'];
    for (const project_id of [undefined, named.platform]) {
      const where = { organization_id: acme.key, ...(project_id && { project_id }) };
      const here = (one: (typeof projects)[number]) =>
        one.organization_id === acme.key && (!project_id || one.id === project_id);
      await expectOfAll(
        async actor => found(await namedProjects(store.read, actor, where, ids)),
        actor => idsOf(projects.filter(one => here(one) && readsProject(actor, one))),
      );
    }
    const anyOf = projectPowers.of('create-workspaces');
    const has = (actor: Actor, { id, organization_id }: (typeof projects)[number]) =>
      (powersOnProject(actor, id, organization_id) & anyOf) !== 0;
    await expectOfAll(
      async actor => found(await namedProjectsWith(store.read, actor, ids, { action: 'create', anyOf })),
      actor => idsOf(projects.filter(one => has(actor, one))),
    );
    const owner = everybody.find(([name]) => name === 'an owner')![1];
    const few = [named.platform];
    expect(found(await namedProjects(store.read, owner, { organization_id: acme.key }, few))).toEqual(few);
    expect(found(await namedProjectsWith(store.read, owner, few, { action: 'create', anyOf }))).toEqual(few);
    expect(await namedProjects(nothingAsked, owner, { organization_id: acme.key }, [])).toEqual(new Set());
  });
});
