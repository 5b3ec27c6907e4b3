/** Of accounts, memberships, teams and their tokens. */
import type { Refusal } from './refusal.ts';

export const peopleRefusals = {
  'member-unknown': { status: 400, title: 'bad request', detail: '{reason}' },
  'owners-team-protected': { status: 403, title: 'forbidden', detail: 'The owners team cannot be {change}.' },
  'last-owner': { status: 403, title: 'forbidden', detail: 'The owners team must keep at least one member.' },
  'own-membership': {
    status: 403,
    title: 'forbidden',
    detail: 'An owner cannot remove their own membership. Ask another owner.',
  },
  'last-administrator': {
    status: 403,
    title: 'forbidden',
    detail: 'The installation must keep at least one site administrator.',
  },
  'own-account': { status: 403, title: 'forbidden', detail: 'Site administrators cannot remove their own account.' },
  'username-taken': { status: 422, title: 'invalid attribute', detail: 'Username has already been taken' },
  'email-taken': { status: 422, title: 'invalid attribute', detail: 'Email has already been taken' },
  'membership-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Email belongs to someone who is a member of the organization, or is invited already',
  },
  'team-access-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'The team already has access. Change the record that exists.',
  },
  'token-description-taken': {
    status: 422,
    title: 'invalid attributes',
    detail: 'Validation failed: Description has already been taken',
  },
} as const satisfies Record<string, Refusal>;
