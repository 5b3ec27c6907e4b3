/** §4.1 Delete team: 204. The owners team stays. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { teamById } from './team.ts';

export const deleteTeam = endpoint({
  operation: 'teams.delete',
  section: '§4.1',
  summary: 'Delete a team',
  method: 'DELETE',
  paths: ['/teams/:team_id'],
  subject: teamById,
  needs: policy['team:delete'],
  answer: { status: 204 },
  errors: ['owners-team-protected'],
  handle: async ({ sql, subject }) => {
    if (subject.is_owners) throw new ApiError('owners-team-protected', { change: 'deleted' });
    // The account that stood for the team's tokens goes with it.
    await sql`delete from users where users.service_of_id = ${subject.id}`;
    await sql`delete from teams where teams.id = ${subject.id}`;
  },
});
