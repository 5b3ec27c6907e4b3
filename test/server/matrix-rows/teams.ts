/** Rows of the access matrix for teams (§4.1) and who is on them. */
import { bodyOf, randomName } from '../../builders/records.ts';
import type { Asked, Fresh, Rows } from './fresh.ts';

const teamBody = () => bodyOf('teams', { name: randomName('team') });

/** A team and someone to add to it, or who is on it already. */
async function teamAndMember(fresh: Fresh, isOnTeam: boolean) {
  const target = await fresh.team();
  const someone = await fresh.member(...(isOnTeam ? [target.id] : []));
  const users = { data: [{ type: 'users', id: someone.username }] };
  const memberships = { data: [{ type: 'organization-memberships', id: someone.membershipId }] };
  return { params: target.params, users, memberships };
}

const ownersTeam = ({ world }: Fresh): Asked => ({ params: { team_id: world.acme.ownersTeamId } });

export const teamRows: Rows = {
  'teams.list': ({ organization }) => organization(),
  'teams.create': ({ organization }) => ({ ...organization(), body: teamBody() }),
  'teams.show': {
    'a secret team': ({ team }) => team(),
    'a visible team': ({ team }) => team({ visibility: 'organization' }),
    'a secret team of the caller': ({ teamOf }, caller) => teamOf(caller),
  },
  'teams.update': {
    'a secret team': async ({ team }) => ({ ...(await team()), body: teamBody() }),
    'a visible team': async ({ team }) => ({ ...(await team({ visibility: 'organization' })), body: teamBody() }),
    'a secret team of the caller': async ({ teamOf }, caller) => ({ ...(await teamOf(caller)), body: teamBody() }),
    'the owners team': fresh => ({ ...ownersTeam(fresh), body: teamBody() }),
  },
  'teams.delete': {
    'a secret team': ({ team }) => team(),
    'a visible team': ({ team }) => team({ visibility: 'organization' }),
    'the owners team': ownersTeam,
  },
  'teams.list-organization-memberships': {
    'a secret team': ({ team }) => team(),
    'a visible team': ({ team }) => team({ visibility: 'organization' }),
  },
  'teams.add-users': {
    'a secret team': async fresh => {
      const { params, users } = await teamAndMember(fresh, false);
      return { params, body: users };
    },
    'a visible team': async ({ team, member }) => {
      const { params } = await team({ visibility: 'organization' });
      return { params, body: { data: [{ type: 'users', id: (await member()).id }] } };
    },
    'the owners team': async fresh => {
      const { users } = await teamAndMember(fresh, false);
      return { ...ownersTeam(fresh), body: users };
    },
  },
  'teams.remove-users': async fresh => {
    const { params, users } = await teamAndMember(fresh, true);
    return { params, body: users };
  },
  'teams.add-organization-memberships': async fresh => {
    const { params, memberships } = await teamAndMember(fresh, false);
    return { params, body: memberships };
  },
  'teams.remove-organization-memberships': async fresh => {
    const { params, memberships } = await teamAndMember(fresh, true);
    return { params, body: memberships };
  },
};
