/** SSH key: the document, the SELECT and the finder (§4.4). Its value goes in sealed and never comes out. */

import { sshKeyAccess } from '../../access/owned.ts';
import { column, text } from '../../core/jsonapi/fields.ts';
import { printableName } from '../../core/jsonapi/forms.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';

interface SshKeyRow extends Subject<'ssh-key'> {
  organization_id: string;
}

const attributes = { name: column(text, { write: printableName }) };

export const sshKeys = resource({
  type: 'ssh-keys',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/ssh-keys/${row.id}` }),
  load: (sql, actor, ids) => sshKeyRecords.load(sql, actor, ids),
});

/** A key's sealed value opens under this context alone. */
export const sealContext = (id: string) => `ssh-keys/${id}`;

export interface SshKey extends RowOf<typeof attributes>, SshKeyRow {}

export const sshKeyRecords = records<SshKey>({
  table: 'ssh_keys',
  columns: sql => sql`ssh_keys.id, ssh_keys.organization_id, ssh_keys.name`,
  from: sql => sql`ssh_keys`,
  isVisible: (sql, actor) => sql`ssh_keys.organization_id = any(${sshKeyAccess.organizationsOf(actor)})`,
  powers: (row, actor) => sshKeyAccess.powersIn(actor, row.organization_id),
});

export const sshKeyById = sshKeyRecords.byId('ssh_key_id');
