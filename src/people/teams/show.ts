/** §4.1 Show team. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { teamById, teams } from './team.ts';

export const showTeam = endpoint({
  operation: 'teams.show',
  section: '§4.1',
  summary: 'Show a team',
  method: 'GET',
  paths: ['/teams/:team_id'],
  subject: teamById,
  needs: policy['team:read'],
  include: ['users', 'organization-memberships'],
  answer: { status: 200, document: teams },
  handle: ({ subject }) => subject,
});
