/** Every refusal there is (§7): a name → status, title and text. Code refuses by name, callers read the text. */
import type { CatalogueEntry } from './catalogue-entry.ts';
import { contentRefusals } from './content-refusals.ts';
import { hookRefusals } from './hook-refusals.ts';
import { signInRefusals } from './sign-in-refusals.ts';

export const catalogue = {
  ...contentRefusals,
  ...hookRefusals,
  ...signInRefusals,
  // 400: the request cannot be understood.
  'malformed-json': { status: 400, title: 'bad request', detail: 'The body is not valid JSON: {reason}' },
  'malformed-request': { status: 400, title: 'bad request', detail: '{reason}' },
  'invalid-parameter': { status: 400, title: 'invalid parameter', detail: '{reason}' },
  'invalid-include': {
    status: 400,
    title: 'invalid include parameter',
    detail: '"{value}" is not a valid include parameter here. Valid values: {valid}.',
  },
  'include-too-large': {
    status: 400,
    title: 'invalid include parameter',
    detail:
      'The include parameter asks for more than {most} here. Ask for a smaller page, or read the records by their links.',
  },
  'transition-not-allowed': { status: 400, title: 'transition not allowed', detail: '{reason}' },
  'member-unknown': { status: 400, title: 'bad request', detail: '{reason}' },
  // 401: the token or the session.
  unauthorized: { status: 401, title: 'unauthorized' },
  // 403: the few refusals that admit the record exists.
  'force-delete-forbidden': {
    status: 403,
    title: 'forbidden',
    detail:
      'Only organization owners may force delete. Use safe delete, or let an owner set allow-force-delete-workspaces.',
  },
  'owners-team-protected': { status: 403, title: 'forbidden', detail: 'The owners team cannot be {change}.' },
  'last-owner': { status: 403, title: 'forbidden', detail: 'The owners team must keep at least one member.' },
  'own-membership': {
    status: 403,
    title: 'forbidden',
    detail: 'An owner cannot remove their own membership. Ask another owner.',
  },
  'move-forbidden': {
    status: 403,
    title: 'forbidden',
    detail: 'Workspace(s) not found, or you are not authorized to move them: {ids}',
  },
  'last-administrator': {
    status: 403,
    title: 'forbidden',
    detail: 'The installation must keep at least one site administrator.',
  },
  'own-account': { status: 403, title: 'forbidden', detail: 'Site administrators cannot remove their own account.' },
  'force-execute-forbidden': { status: 403, title: 'forbidden', detail: 'The run cannot be executed now: {reason}.' },
  'run-creates-no-workspace': {
    status: 403,
    title: 'forbidden',
    detail:
      'A run cannot create workspaces. If it was to read the state of another workspace: that one does not exist, or does not share its state with the workspace of the run.',
  },
  // 404: missing, or not the caller's to see: the same bytes for both (§5.5).
  'not-found': { status: 404, title: 'not found' },
  // 408: the request did not come.
  'request-too-slow': {
    status: 408,
    title: 'request timeout',
    detail: 'The request did not arrive in time. Nothing was changed.',
  },
  // 409: the state of the record is in the way.
  'workspace-locked': {
    status: 409,
    title: 'conflict',
    detail: 'Workspace is currently locked. Workspace must be unlocked before it can be deleted.',
  },
  'workspace-locked-already': {
    status: 409,
    title: 'conflict',
    detail: 'Unable to lock workspace. The workspace is already locked.',
  },
  'workspace-not-locked': {
    status: 409,
    title: 'conflict',
    detail: 'Unable to unlock workspace. The workspace is already unlocked.',
  },
  'workspace-locked-by-other': {
    status: 409,
    title: 'conflict',
    detail:
      'Unable to unlock workspace. The workspace is locked by {kind} {holder} and may not be unlocked except by them.',
  },
  'workspace-being-processed': {
    status: 409,
    title: 'conflict',
    detail: 'The latest state of the workspace is still being processed to find its resources. Try again in a moment.',
  },
  'workspace-manages-resources': {
    status: 409,
    title: 'conflict',
    detail: 'Workspace cannot be safely deleted because it is still managing resources.',
  },
  'run-transition': {
    status: 409,
    title: 'transition not allowed',
    detail: 'The run is {status} and cannot be {change}.',
  },
  'run-workspace-locked': {
    status: 409,
    title: 'conflict',
    detail:
      'The workspace is locked. The saved plan can be applied when the lock is gone and no other run is under way.',
  },
  'configuration-version-transition': {
    status: 409,
    title: 'transition not allowed',
    detail: 'configuration could not be archived because {reason}',
  },
  'agent-pool-in-use': {
    status: 409,
    title: 'conflict',
    detail: 'The agent pool is used by workspaces, projects or the organization. Give them another one first.',
  },
  'engine-version-in-use': {
    status: 409,
    title: 'conflict',
    detail: 'The version is used by {count} workspace(s). Set them to another version first.',
  },
  'engine-version-official': {
    status: 409,
    title: 'conflict',
    detail: 'An official version cannot be deleted. Disable it instead.',
  },
  'version-in-use': { status: 409, title: 'conflict', detail: '{reason}' },
  'job-over': { status: 410, title: 'gone', detail: 'The job is over, or somebody else has it.' },
  'cursor-too-old': { status: 410, title: 'gone', detail: 'Changes so old are not kept. Read everything anew.' },
  // 412: the record is not what the caller takes it for.
  'precondition-failed': {
    status: 412,
    title: 'precondition failed',
    detail: 'The record has changed since it was read. Read it again, and change what is there now.',
  },
  'precondition-unknown': {
    status: 412,
    title: 'precondition failed',
    detail: 'No record can be read at this address, so there is nothing that If-Match could name.',
  },
  'agent-at-work': { status: 412, title: 'precondition failed', detail: 'The agent is {status}, and still there.' },
  // 413, 414, 415, 431: limits and forms of the request itself.
  'body-too-large': { status: 413, title: 'payload too large', detail: 'A body holds at most {limit} bytes.' },
  'media-type': {
    status: 415,
    title: 'invalid content type',
    detail: 'content-type must be application/vnd.api+json',
  },
  'header-too-large': { status: 431, title: 'request header fields too large' },
  // 422: the body breaks a rule.
  'invalid-attribute': { status: 422, title: 'invalid attribute', detail: '{reason}' },
  'invalid-relationship': { status: 422, title: 'invalid relationship', detail: '{reason}' },
  'invalid-document': { status: 422, title: 'unprocessable entity', detail: '{reason}' },
  'id-taken': { status: 422, title: 'invalid attribute', detail: 'Id has already been taken' },
  'invalid-id': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Id must be {prefix}- and 16 letters and digits',
  },
  'name-taken': { status: 422, title: 'invalid attribute', detail: 'Name has already been taken' },
  'key-taken': { status: 422, title: 'invalid attribute', detail: 'Key has already been taken' },
  'state-shared-with-all': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'Remote state consumers cannot be changed while global-remote-state is true: every workspace is one.',
  },
  'username-taken': { status: 422, title: 'invalid attribute', detail: 'Username has already been taken' },
  'email-taken': { status: 422, title: 'invalid attribute', detail: 'Email has already been taken' },
  'membership-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Email belongs to someone who is a member of the organization, or is invited already',
  },
  'version-taken': { status: 422, title: 'invalid attribute', detail: 'Version has already been taken' },
  'team-access-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'The team already has access. Change the record that exists.',
  },
  'run-trigger-taken': { status: 422, title: 'invalid relationship', detail: 'Sourceable has already been taken' },
  'variable-key-taken': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Key has already been taken in this category',
  },
  'variable-key-global': {
    status: 422,
    title: 'invalid attribute',
    detail: 'Key has already been taken in this category by another global variable set',
  },
  'variable-set-global': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The variable set is global: it applies to every workspace, whatever is named.',
  },
  'token-description-taken': {
    status: 422,
    title: 'invalid attributes',
    detail: 'Validation failed: Description has already been taken',
  },
  'project-not-empty': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The project still has workspaces. Move or delete them first.',
  },
  'default-project-protected': {
    status: 422,
    title: 'unprocessable entity',
    detail: 'The default project of an organization cannot be deleted.',
  },
  // 429, 5xx.
  'rate-limited': { status: 429, title: 'Too many requests', detail: "You have exceeded the API's rate limit." },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many of your requests are under way at once. Wait for one of them to end.',
    retryAfter_s: 1,
  },
  internal: { status: 500, title: 'internal server error', detail: 'The failure is logged under this request id.' },
  'server-busy': {
    status: 503,
    title: 'service unavailable',
    detail: 'The server has more under way than it can hold. Nothing was changed; try again in a moment.',
    retryAfter_s: 1,
  },
  'record-busy': {
    status: 503,
    title: 'service unavailable',
    detail: 'Somebody else is changing the same record. Nothing was changed; try again in a moment.',
    retryAfter_s: 1,
  },
  'store-unavailable': {
    status: 503,
    title: 'service unavailable',
    detail:
      'The database does not answer. Try again in a moment. If you were changing something, check first whether it was changed.',
    retryAfter_s: 2,
  },
} as const satisfies Record<string, CatalogueEntry>;
