/** SSH key: the document, the SELECT and the finder (§4.4). Its value goes in sealed and never comes out. */
import { Type } from 'typebox';
import { organizationPowersOf } from '../../access/organization-access.ts';
import { policy, sshKeyPowers } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Finder, Subject } from '../../core/jsonapi/endpoint.ts';
import { column, type Row, text } from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { type Fragment, held, type Sql } from '../../core/store/store.ts';

/** Anything that prints, without space around it. */
const nameForm = Type.String({
  pattern: '^(?!\\s)[^\\p{Cc}]{1,255}(?<!\\s)$',
  'x-rule': 'must be printable, without space around it, and have 1 to 255 characters',
});

const attributes = { name: column(text, { write: nameForm }) };

export const sshKeys = resource({
  type: 'ssh-keys',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/ssh-keys/${row.id}` }),
  load: (sql, actor, ids) => readSshKeys(sql, actor, sql`ssh_keys.id = any(${ids as string[]})`),
});

/** A key's sealed value opens under this context alone. */
export const sealContext = (id: string) => `ssh-keys/${id}`;

export interface SshKey extends RowOf<typeof attributes>, Subject {
  id: string;
  organization_id: string;
}

/** The keys of a condition that the actor may choose from. */
export async function readSshKeys(sql: Sql, actor: Actor, condition: Fragment, rest?: Fragment): Promise<SshKey[]> {
  const readable = [...actor.standings.keys()].filter(id => powersOn(actor, id) !== 0);
  const rows = await sql<Row[]>`
    select ssh_keys.id, ssh_keys.organization_id, ssh_keys.name
    from ssh_keys
    where ${condition} and ssh_keys.organization_id = any(${readable})
    ${rest ?? sql``}`;
  return rows.map(row => ({ ...row, powers: powersOn(actor, row['organization_id']) }) as unknown as SshKey);
}

function powersOn(actor: Actor, organizationId: string): number {
  const powers = organizationPowersOf(actor, organizationId);
  const may = (action: 'organization:list-ssh-keys' | 'organization:manage-ssh-keys') =>
    (powers & policy[action].anyOf) !== 0;
  const { bit } = sshKeyPowers;
  return (may('organization:list-ssh-keys') ? bit.read : 0) | (may('organization:manage-ssh-keys') ? bit.manage : 0);
}

export const sshKeyById: Finder<SshKey> = {
  find: async (sql, actor, params, lock) => {
    const [found] = await readSshKeys(
      sql,
      actor,
      sql`ssh_keys.id = ${params['ssh_key_id']!}`,
      held(sql, lock, 'ssh_keys'),
    );
    return found;
  },
};
