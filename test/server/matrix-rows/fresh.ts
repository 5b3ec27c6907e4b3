/** Targets for the rows of the access matrix: each call makes a record that no other cell knows. */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { join, person, randomName, type TeamGiven, team } from '../../builders/records.ts';
import { agentPool, oauthConnection, project, projectAccess, workspace } from '../../builders/workspace.ts';
import { buildWorld, type Caller, openToTeams, type World } from '../../cast/world.ts';

/** What a cell sends. `params` fill the path; the refusal must be the same bytes when they name nothing. */
export interface Asked {
  params: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Content, in the place of a document. */
  raw?: Buffer;
  /** Of an address of content: to whom it was given, in the place of the caller. */
  givenTo?: string;
  /** In the place of the caller's: for rows that would end the world, and build one of their own. */
  token?: string | null;
}

/** Makes the target of one cell and says what to send. */
export type Row = (fresh: Fresh, caller: Caller) => Promise<Asked> | Asked;

/** By operation; an operation with several kinds of targets or bodies has a row for each, by what sets it apart. */
export type Rows = Record<string, Row | Record<string, Row>>;

export type Fresh = ReturnType<typeof freshTargets>;

let withheld: World | undefined;

/** §5: the same target in an organization that takes no users' tokens. */
export const withheldFrom =
  (target: Row): Row =>
  async ({ world: { app } }, caller) => {
    withheld ??= await withheldWorld(app);
    const { params } = await target(freshTargets(withheld), withheld.callers[caller.name]);
    return { params, token: withheld.callers[caller.name].token };
  };

async function withheldWorld(app: World['app']): Promise<World> {
  const world = await buildWorld(app);
  await app.store.read`
    update organizations set user_tokens_enabled = false, revision = default where organizations.id = ${world.acme.key}`;
  return world;
}

export function freshTargets(world: World) {
  const { app, acme } = world;
  const sql = app.store.read;
  return {
    world,
    /** acme itself, which no row may harm. */
    organization: (): Asked => ({ params: { organization_name: acme.name } }),
    /** A workspace that the standing teams have their access to. */
    workspace: async (given: Record<string, unknown> = {}): Promise<Asked & { id: string }> => {
      const name = randomName('ws');
      const id = await workspace(app, acme, { name, project_id: world.projectId, ...given });
      await openToTeams(world, id);
      return { id, params: { organization_name: acme.name, workspace_name: name, workspace_id: id } };
    },
    /** An empty project that the team of `p-adm` has admin access to. */
    project: async (): Promise<Asked & { id: string }> => {
      const id = await project(app, acme);
      await projectAccess(app, world.projectAdminTeamId, id, 'admin');
      return { id, params: { project_id: id } };
    },
    /** A team that nobody is on, secret unless said otherwise. */
    team: async (given: TeamGiven = {}): Promise<Asked & { id: string }> => {
      const id = await team(app, acme, given);
      return { id, params: { team_id: id } };
    },
    /** A secret team that the caller is on, if the caller is a person of acme. */
    teamOf: async ({ userId }: Caller): Promise<Asked & { id: string }> => {
      const id = await team(app, acme);
      await sql`
        insert into team_memberships (team_id, organization_membership_id)
        select ${id}, organization_memberships.id from organization_memberships
        where organization_memberships.organization_id = ${acme.key} and organization_memberships.user_id = ${userId}`;
      return { id, params: { team_id: id } };
    },
    /** An active member, on the given teams. */
    member: async (...teamIds: string[]) => {
      const someone = await person(app);
      const membershipId = await join(app, acme, someone, ...teamIds);
      return { ...someone, membershipId, params: { user_id: someone.id, organization_membership_id: membershipId } };
    },
    agentPool: async (): Promise<Asked & { id: string }> => {
      const id = await agentPool(app, acme);
      return { id, params: { agent_pool_id: id } };
    },
    oauth: async (): Promise<Asked & { id: string }> => {
      const { clientId, tokenId } = await oauthConnection(app, acme);
      return { id: clientId, params: { oauth_client_id: clientId, oauth_token_id: tokenId } };
    },
    sshKey: async (): Promise<Asked & { id: string }> => {
      const id = newId('sshkey');
      const members = { id, organization_id: acme.key, name: randomName('key'), sealed_value: Buffer.of(0) };
      await sql`insert into ssh_keys ${row(sql, members)}`;
      return { id, params: { ssh_key_id: id } };
    },
  };
}
