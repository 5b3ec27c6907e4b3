/** §4.4 Assign and unassign an SSH key: 200 with the workspace. Clients name the key in two ways. */

import { type TSchema, Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { type Body, valueBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { workspaceById } from './rows.ts';
import { includePaths } from './show.ts';
import { workspaces } from './workspace.ts';

type KeyBody = Body<string | null>;

const word = (type: string): TSchema => Type.Unsafe({ const: type });

/** `{ "data": { "type": "workspaces", "attributes": { "id" } } }`, where null takes the key away. */
const byAttribute: KeyBody = valueBody<string | null>(
  Type.Object({
    data: Type.Object({
      type: word('workspaces'),
      attributes: Type.Object({ id: Type.Unsafe<string | null>({ type: ['string', 'null'] }) }),
    }),
  }),
  json => (json as { data: { attributes: { id: string | null } } }).data.attributes.id,
  null,
);

/** `{ "data": { "type": "ssh-keys", "id" } }`, or null in the place of `data`. */
const byIdentifier: KeyBody = valueBody<string | null>(
  Type.Object({
    data: Type.Unsafe({
      type: ['object', 'null'],
      required: ['type', 'id'],
      properties: { type: word('ssh-keys'), id: { type: 'string' } },
    }),
  }),
  json => (json as { data: { id: string } | null }).data?.id ?? null,
  null,
);

const keyBody: KeyBody = {
  schema: deployment => Type.Unsafe({ anyOf: [byAttribute.schema(deployment), byIdentifier.schema(deployment)] }),
  parse: (json, deployment) => {
    const data = (json as { data?: { type?: unknown } | null } | null)?.data;
    const isIdentifier = data === null || data?.type === 'ssh-keys';
    return (isIdentifier ? byIdentifier : byAttribute).parse(json, deployment);
  },
};

export const assignSshKey = endpoint({
  operation: 'workspaces.assign-ssh-key',
  section: '§4.4',
  summary: 'Assign an SSH key to a workspace, or take it away',
  method: 'PATCH',
  paths: ['/workspaces/:workspace_id/relationships/ssh-key'],
  subject: workspaceById,
  needs: policy['workspace:assign-ssh-key'],
  include: includePaths,
  body: keyBody,
  answer: { status: 200, document: workspaces, reads: workspaceById },
  check: async ({ sql, subject, body: keyId, faults }) => {
    if (keyId === null || faults.length > 0) return;
    // Held, so that nobody deletes it before the workspace refers to it.
    const found = await sql`
      select from ssh_keys
      where ssh_keys.id = ${keyId} and ssh_keys.organization_id = ${subject.organization_id}
      for key share`;
    if (found.length === 0) throw new ApiError('not-found');
  },
  handle: async ({ sql, subject, body: keyId }) => {
    await sql`
      update workspaces set ssh_key_id = ${keyId}, updated_at = now(), revision = default
      where workspaces.id = ${subject.id}`;
  },
});
