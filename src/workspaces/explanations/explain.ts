/** Why somebody may do something, or may not: of an organization, a project, a team and a workspace. */
import { organizationPowers, organizationPowersOf } from '../../access/organization-access.ts';
import { type Action, actions, policy, teamPowers } from '../../access/policy.ts';
import { projectPowers, projectPowersFromOrganization } from '../../access/project-levels.ts';
import { teamIsVisible } from '../../access/teams.ts';
import { permissionPowers, workspacePowers } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { term } from '../../core/jsonapi/query.ts';
import { type Finder, type Needs, noProof, type Params, type Subject } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { type Organization, organizationByName } from '../../organizations/organizations/organization.ts';
import { asCaller } from '../../people/callers/as-caller.ts';
import { type Team, teamById, teamPowersOn } from '../../people/teams/team.ts';
import { type Project, projectById } from '../projects/project.ts';
import type { Workspace } from '../workspaces/attributes.ts';
import { workspaceById } from '../workspaces/rows.ts';
import {
  projectGrants,
  projectLevelsGiving,
  projectLevelsGivingOnWorkspaces,
  type Whose,
  workspaceFromOrganization,
  workspaceGrants,
  workspaceLevelsGiving,
} from './access-grants.ts';
import { explained, explanations, type Giver, type NamedPowers, type Way } from './explanation.ts';
import {
  type FromOrganization,
  type Grant,
  isSome,
  keysGiving,
  organizationGrants,
  standingAlone,
  teamsOf,
} from './grants.ts';

/** What explanations of one kind of record are made with. */
interface Explained<Kind extends string, Found extends Subject<Kind> & { organization_id: string }> {
  type: 'organizations' | 'projects' | 'teams' | 'workspaces';
  path: string;
  subject: Finder<Found>;
  reads: Needs<Found>;
  params: (found: Found) => Params;
  table: NamedPowers<Kind>;
  /** Action → the powers of which one is enough. */
  actions: Readonly<Record<string, Powers<Kind>>>;
  fromOrganization: (found: Found) => FromOrganization<Kind>;
  grants: (sql: Sql, asker: Actor, found: Found, whose: Whose) => Promise<Grant<Kind>[]>;
  /** Beside keys of organization access and ownership. */
  levels: (found: Found, anyOf: Powers<Kind>) => Way[];
  /** The powers of which one lets a team give access; nobody's but the owners' where there is none. */
  gives: Powers<Kind>;
}

function explain<Kind extends string, Found extends Subject<Kind> & { organization_id: string }>(
  one: Explained<Kind, Found>,
) {
  return endpoint({
    operation: `${one.type}.explain`,
    section: '§5',
    summary: 'Explain what somebody may do with it, and why',
    method: 'GET',
    paths: [`${one.path}/explain`],
    subject: one.subject,
    needs: one.reads,
    query: {
      user: term('The id or username of a member; owners may ask about others. The caller, when nothing is said'),
      action: term(`One of: ${Object.keys(one.actions).join(', ')}. All of them, when nothing is said`),
    },
    answer: { status: 200, collection: explanations, pages: 'never' },
    handle: async ({ sql, actor, subject, query: { user, action } }) => {
      const names = action === undefined ? Object.keys(one.actions) : [known(one.actions, action)];
      const { organization_id: organizationId } = subject;
      const target = await targetOf(sql, actor, organizationId, user);
      const found = target === actor ? subject : await one.subject.find(lookAs(sql, target), one.params(subject));
      const powers = found?.powers ?? one.table.none;
      const grants = (await one.grants(sql, actor, subject, { target })).filter(isSome);
      const isAnyMissing = names.some(name => (powers & one.actions[name]!) === 0);
      const from = one.fromOrganization(subject);
      const facts = {
        subject: { type: one.type, id: subject.id },
        userId: target.userId,
        powers,
        table: one.table,
        grants,
        keysOf: ({ via, team }: Grant<Kind>, anyOf: Powers<Kind>) =>
          via === 'organization-access' ? keysGiving(organizationId, from, anyOf, team!.organization_access) : [],
        waysTo: (anyOf: Powers<Kind>) => waysTo(one, subject, anyOf),
        givers: isAnyMissing ? await giversOf(sql, actor, one, subject) : [],
      };
      const rows = names.map(name => explained(facts, name, one.actions[name]!));
      return { rows, total: rows.length };
    },
  });
}

const lookAs = (sql: Sql, actor: Actor) => ({ sql, actor, lock: null, proof: noProof });

function known(all: Readonly<Record<string, unknown>>, action: string): string {
  if (Object.hasOwn(all, action)) return action;
  const reason = `action must be one of: ${Object.keys(all).join(', ')}.`;
  throw new ApiError('invalid-parameter', { reason }, { parameter: 'action' });
}

/** Everybody may ask about themselves; about others only owners, who see every team and all that it was given. */
async function targetOf(sql: Sql, actor: Actor, organizationId: string, user: string | undefined): Promise<Actor> {
  if (user === undefined || user === actor.userId || user === actor.username) return actor;
  if (!organizationPowers.has(organizationPowersOf(actor, organizationId), 'own')) throw new ApiError('not-found');
  const target = await asCaller(sql, user);
  if (target?.standings.has(organizationId)) return target;
  const reason = 'user must be the id or username of an active member of the organization.';
  throw new ApiError('invalid-parameter', { reason }, { parameter: 'user' });
}

function waysTo<Kind extends string, Found extends Subject<Kind> & { organization_id: string }>(
  one: Explained<Kind, Found>,
  subject: Found,
  anyOf: Powers<Kind>,
): Way[] {
  const { organization_id: organizationId } = subject;
  const from = one.fromOrganization(subject);
  const keys = keysGiving(organizationId, from, anyOf);
  const isOwners = (from(standingAlone(organizationId, { isOwner: true }), organizationId) & anyOf) !== 0;
  return [
    ...one.levels(subject, anyOf).filter(({ levels }) => levels.length > 0),
    ...(keys.length > 0 ? [{ via: 'organization-access' as const, levels: [], keys }] : []),
    ...(isOwners ? [{ via: 'ownership' as const, levels: [], keys: [] }] : []),
  ];
}

/** The owners always; of other teams those that may, and that the asker sees. */
async function giversOf<Kind extends string, Found extends Subject<Kind> & { organization_id: string }>(
  sql: Sql,
  asker: Actor,
  one: Explained<Kind, Found>,
  subject: Found,
): Promise<Giver[]> {
  const owners: Giver = { 'team-id': null, name: 'owners' };
  if (one.gives === one.table.none) return [owners];
  const grants = await one.grants(sql, asker, subject, { everyTeam: true });
  const giving = grants.filter(({ powers, team }) => (powers & one.gives) !== 0 && team?.is_visible && !team.is_owners);
  const teams = new Map(giving.map(({ team }) => [team!.id, team!.name]));
  const named = [...teams].slice(0, limits.namedGivers_items.value);
  return [owners, ...named.map(([id, name]) => ({ 'team-id': id, name }))];
}

/** `workspace:lock` is the action `lock` on a workspace. */
function actionsOn<Kind extends string>(kind: Kind): Record<string, Powers<Kind>> {
  const own = actions.filter(action => action.startsWith(`${kind}:`));
  return Object.fromEntries(
    own.map((action: Action) => [action.slice(kind.length + 1), policy[action].anyOf as unknown as Powers<Kind>]),
  );
}

/** The actions on a workspace, and the permissions that its document shows. */
export const workspaceActions: Readonly<Record<string, Powers<'workspace'>>> = {
  ...actionsOn('workspace'),
  ...Object.fromEntries(Object.entries(permissionPowers).map(([name, power]) => [name, workspacePowers.bit[power]])),
};

const explainWorkspace = explain<'workspace', Workspace>({
  type: 'workspaces',
  path: '/workspaces/:workspace_id',
  subject: workspaceById,
  reads: policy['workspace:read'],
  params: ({ id }) => ({ workspace_id: id }),
  table: workspacePowers,
  actions: workspaceActions,
  fromOrganization: workspaceFromOrganization,
  grants: workspaceGrants,
  levels: (found, anyOf) => [
    { via: 'workspace-access', levels: workspaceLevelsGiving(anyOf, found.allow_force_delete_workspaces), keys: [] },
    {
      via: 'project-access',
      levels: projectLevelsGivingOnWorkspaces(anyOf, found.allow_force_delete_workspaces),
      keys: [],
    },
  ],
  gives: policy['workspace:manage-teams'].anyOf,
});

const explainProject = explain<'project', Project>({
  type: 'projects',
  path: '/projects/:project_id',
  subject: projectById,
  reads: policy['project:read'],
  params: ({ id }) => ({ project_id: id }),
  table: projectPowers,
  actions: actionsOn('project'),
  fromOrganization: () => projectPowersFromOrganization,
  grants: projectGrants,
  levels: (_found, anyOf) => [{ via: 'project-access', levels: projectLevelsGiving(anyOf), keys: [] }],
  gives: policy['project:manage-teams'].anyOf,
});

const explainOrganization = explain<'organization', Organization>({
  type: 'organizations',
  path: '/organizations/:organization_name',
  subject: organizationByName,
  reads: policy['organization:read'],
  params: ({ id }) => ({ organization_name: id }),
  table: organizationPowers,
  actions: actionsOn('organization'),
  fromOrganization: () => organizationPowersOf,
  grants: async (sql, asker, { organization_id: id }, whose) => {
    if (!('target' in whose)) return [];
    const teams = await teamsOf(sql, whose.target, id, teamIsVisible(sql, asker));
    return organizationGrants(whose.target, teams, id, organizationPowersOf);
  },
  levels: () => [],
  gives: organizationPowers.none,
});

/** On a team somebody is on, more than on others. */
const explainTeam = explain<'team', Team>({
  type: 'teams',
  path: '/teams/:team_id',
  subject: teamById,
  reads: policy['team:read'],
  params: ({ id }) => ({ team_id: id }),
  table: teamPowers,
  actions: actionsOn('team'),
  fromOrganization: found => fromOrganizationOnTeam(found),
  grants: async (sql, asker, found, whose) => {
    if (!('target' in whose)) return [];
    const { target } = whose;
    const teams = await teamsOf(sql, target, found.organization_id, teamIsVisible(sql, asker));
    const own = teams.find(({ id }) => id === found.id);
    const kind = { ...standingAlone(found.organization_id, {}), kind: target.kind };
    const asMember: Grant<'team'>[] = own
      ? [{ via: 'team-membership', team: own, record: null, powers: teamPowersOn({ ...found, is_member: true }, kind) }]
      : [];
    return [
      ...organizationGrants(target, teams, found.organization_id, fromOrganizationOnTeam(found)),
      ...asMember,
    ].filter(isSome);
  },
  levels: (found, anyOf) => {
    const asMember = teamPowersOn({ ...found, is_member: true }, standingAlone(found.organization_id, {}));
    return (asMember & anyOf) !== 0 ? [{ via: 'team-membership', levels: ['member'], keys: [] }] : [];
  },
  gives: teamPowers.none,
});

/** What is given on a team to those who are not on it: nothing where they do not see it. */
function fromOrganizationOnTeam(found: Team): FromOrganization<'team'> {
  return (actor, organizationId) => {
    const standing = actor.standings.get(organizationId);
    const isSeen = standing?.isOwner || found.visibility === 'organization';
    const powers = teamPowersOn({ ...found, is_member: false }, actor);
    return isSeen ? (standing?.isMember ? powers : teamPowers.from(powers & ~teamPowers.bit.read)) : teamPowers.none;
  };
}

export const explainEndpoints = [explainOrganization, explainProject, explainTeam, explainWorkspace];
