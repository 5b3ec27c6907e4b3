/** Delete an SSH key. Workspaces that used it are left without one. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reviseOrganization } from '../../organizations/revisions.ts';
import { sshKeyById } from './ssh-key.ts';

export const deleteSshKey = endpoint({
  operation: 'ssh-keys.delete',
  section: '§1',
  summary: 'Delete an SSH key',
  method: 'DELETE',
  paths: ['/ssh-keys/:ssh_key_id'],
  subject: sshKeyById,
  needs: policy['ssh-key:manage'],
  answer: { status: 204 },
  handle: async ({ sql, subject }) => {
    await sql`delete from ssh_keys where ssh_keys.id = ${subject.id}`;
    await reviseOrganization(sql, subject.organization_id);
  },
});
