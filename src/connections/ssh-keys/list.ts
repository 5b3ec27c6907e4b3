/** List the SSH keys of an organization: all of them, unless pages are asked for. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { sshKeyRecords, sshKeys } from './ssh-key.ts';

export const listSshKeys = endpoint({
  operation: 'ssh-keys.list',
  section: '§1',
  summary: 'List the SSH keys of an organization',
  method: 'GET',
  paths: ['/organizations/:organization_name/ssh-keys'],
  subject: organizationByName,
  needs: policy['organization:list-ssh-keys'],
  answer: { status: 200, collection: sshKeys, pages: 'when-asked' },
  handle: context => {
    const { sql, subject } = context;
    const condition = sql`ssh_keys.organization_id = ${subject.organization_id}`;
    return sshKeyRecords.page(context, condition, sql`ssh_keys.name, ssh_keys.id`);
  },
});
