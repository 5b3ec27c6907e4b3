/** §1 The settings of the whole installation: for site administrators, 404 for everybody else. */
import { policy } from '../../access/policy.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column } from '../../core/jsonapi/fields.ts';
import { columns, resource } from '../../core/jsonapi/resource.ts';
import { row } from '../../core/store/store.ts';
import { site } from './site.ts';

export const generalSettings = resource({
  type: 'general-settings',
  attributes: {
    /** Whether only site administrators may create organizations. */
    'limit-user-organization-creation': column(boolean, { write: true }),
    /** Whether new workspaces share their state with their organization, where that says nothing else. */
    'default-remote-state-access': column(boolean, { write: true }),
  },
  relationships: {},
  links: () => ({ self: '/api/v2/admin/general-settings' }),
});

export const showGeneralSettings = endpoint({
  operation: 'general-settings.show',
  section: '§1',
  summary: 'Show the settings of the installation',
  method: 'GET',
  paths: ['/admin/general-settings'],
  subject: site,
  needs: policy['site:administer'],
  answer: { status: 200, document: generalSettings },
  handle: ({ subject }) => subject,
});

export const updateGeneralSettings = endpoint({
  operation: 'general-settings.update',
  section: '§1',
  summary: 'Update the settings of the installation',
  method: 'PATCH',
  paths: ['/admin/general-settings'],
  subject: site,
  needs: policy['site:administer'],
  body: documentBody(generalSettings),
  answer: { status: 200, document: generalSettings, reads: site },
  handle: async ({ sql, subject, body: { attributes } }) => {
    await sql`
      update site_settings set ${row(sql, { id: subject.id, ...columns(generalSettings, attributes) })}
      where site_settings.id = ${subject.id}`;
  },
});
