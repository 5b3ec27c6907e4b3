/** Create an SSH key: owners and teams that manage VCS settings may (§2.1 `manage-vcs-settings`). */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { idFor } from '../../core/jsonapi/chosen-id.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { column, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { seal } from '../../core/store/secrets.ts';
import { row } from '../../core/store/store.ts';
import { organizationByName } from '../../organizations/organizations/organization.ts';
import { sealContext, sshKeyById, sshKeys } from './ssh-key.ts';

/** What a body gives. The value is not looked into: clients keep keys of many forms. */
const given = resource({
  type: sshKeys.type,
  attributes: {
    ...sshKeys.attributes,
    value: column(text, { write: Type.String({ minLength: 1, maxLength: 32_768 }) }),
  },
  relationships: {},
});

export const createSshKey = endpoint({
  operation: 'ssh-keys.create',
  section: '§1',
  summary: 'Create an SSH key',
  method: 'POST',
  paths: ['/organizations/:organization_name/ssh-keys'],
  subject: organizationByName,
  needs: policy['organization:manage-ssh-keys'],
  holds: 'key share',
  body: documentBody(given, { required: ['name', 'value'], idMayBeGiven: true }),
  answer: { status: 201, document: sshKeys, reads: sshKeyById },
  errors: ['name-taken'],
  handle: async ({ sql, actor, subject, body, config }) => {
    const { attributes } = body;
    const id = idFor('sshkey', { actor, body });
    await sql`
      insert into ssh_keys ${row(sql, {
        id,
        organization_id: subject.organization_id,
        name: attributes.name,
        sealed_value: seal(config, attributes.value!, sealContext(id)),
      })}`;
    return id;
  },
});
