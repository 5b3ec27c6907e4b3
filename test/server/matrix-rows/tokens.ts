/** Rows of the access matrix for tokens (§5.6): of people, of teams, of the organization, and any by its id. */
import { newId } from '../../../src/core/store/ids.ts';
import { bodyOf, randomName, serviceTokenOf, tokenOf } from '../../builders/records.ts';
import type { World } from '../../cast/world.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';
import { elsewhere } from './surroundings.ts';

const tokenBody = () => bodyOf('authentication-tokens', { description: randomName('token') });

const own: Row = (_fresh, { userId }) => ({ params: { user_id: userId } });
const anothers: Row = async ({ member }) => ({ params: { user_id: (await member()).id } });

/** A team's token without a description, by its id and by the team. */
async function tokenOfTeam({ world: { app, acme } }: Fresh, { id: teamId, params }: Asked & { id: string }) {
  const id = newId('at');
  await serviceTokenOf(app, acme, teamId, { id, description: null });
  return { params: { ...params, token_id: id } };
}

async function tokenOfUser({ app }: World, userId: string): Promise<Asked> {
  const id = newId('at');
  await tokenOf(app, { id, kind: 'user', user_id: userId });
  return { params: { token_id: id } };
}

/** For each kind of team, what a row of that kind asks. */
const onTeams = (
  ask: (fresh: Fresh, target: Asked & { id: string }) => Promise<Asked> | Asked,
): Record<string, Row> => ({
  'a secret team': async fresh => ask(fresh, await fresh.team()),
  'a visible team': async fresh => ask(fresh, await fresh.team({ visibility: 'organization' })),
  'a secret team of the caller': async (fresh, caller) => ask(fresh, await fresh.teamOf(caller)),
});

const byId: Record<string, Row> = {
  "of the caller's own account": ({ world }, { userId }) => tokenOfUser(world, userId),
  'of another member': async ({ world, member }) => tokenOfUser(world, (await member()).id),
  'of a secret team': async fresh => tokenOfTeam(fresh, await fresh.team()),
  'of a secret team of the caller': async (fresh, caller) => tokenOfTeam(fresh, await fresh.teamOf(caller)),
  'of the organization': async (fresh, caller) => {
    const asked = await elsewhere(fresh, caller);
    const [token] = await fresh.world.app.store.read`
      select tokens.id from tokens
      join organizations on organizations.id = tokens.organization_id
      where organizations.name = ${asked.params['organization_name']!}`;
    return { ...asked, params: { token_id: token!['id'] } };
  },
};

export const tokenRows: Rows = {
  'authentication-tokens.create-for-user': {
    'the own account': async (fresh, caller) => ({ ...(await own(fresh, caller)), body: tokenBody() }),
    'another member': async (fresh, caller) => ({ ...(await anothers(fresh, caller)), body: tokenBody() }),
  },
  'authentication-tokens.list-of-user': { 'the own account': own, 'another member': anothers },
  'authentication-tokens.create-for-team': onTeams((_fresh, target) => ({ ...target, body: tokenBody() })),
  'authentication-tokens.show-of-team': onTeams(tokenOfTeam),
  'authentication-tokens.delete-of-team': onTeams(tokenOfTeam),
  'authentication-tokens.create-described-for-team': onTeams((_fresh, target) => ({ ...target, body: tokenBody() })),
  'authentication-tokens.list-of-team': onTeams(tokenOfTeam),
  'authentication-tokens.list-of-teams': ({ organization }) => organization(),
  'authentication-tokens.create-for-organization': async (fresh, caller) => ({
    ...(await elsewhere(fresh, caller)),
    body: bodyOf('authentication-tokens', {}),
  }),
  'authentication-tokens.show-of-organization': ({ organization }) => organization(),
  'authentication-tokens.delete-of-organization': elsewhere,
  'authentication-tokens.show': byId,
  'authentication-tokens.delete': byId,
};
