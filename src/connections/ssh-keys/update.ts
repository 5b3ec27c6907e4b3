/** Update an SSH key: its name only; another value is another key. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { sshKeyById, sshKeys } from './ssh-key.ts';

export const updateSshKey = endpoint({
  operation: 'ssh-keys.update',
  section: '§1',
  summary: 'Rename an SSH key',
  method: 'PATCH',
  paths: ['/ssh-keys/:ssh_key_id'],
  subject: sshKeyById,
  needs: policy['ssh-key:manage'],
  body: documentBody(sshKeys),
  answer: { status: 200, document: sshKeys, reads: sshKeyById },
  errors: ['name-taken'],
  handle: async ({ sql, subject, body: { attributes } }) => {
    await sql`update ssh_keys set name = ${attributes.name ?? subject.name} where ssh_keys.id = ${subject.id}`;
  },
});
