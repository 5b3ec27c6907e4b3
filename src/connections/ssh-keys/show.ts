/** Show an SSH key: its name, never its value. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { sshKeyById, sshKeys } from './ssh-key.ts';

export const showSshKey = endpoint({
  operation: 'ssh-keys.show',
  section: '§1',
  summary: 'Show an SSH key',
  method: 'GET',
  paths: ['/ssh-keys/:ssh_key_id'],
  subject: sshKeyById,
  needs: policy['ssh-key:read'],
  answer: { status: 200, document: sshKeys },
  handle: ({ subject }) => subject,
});
