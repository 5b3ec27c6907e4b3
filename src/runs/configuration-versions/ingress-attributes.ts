/** §4.3 `ingress_attributes`: the commit that a configuration version came from; content that was uploaded has none. */
import { policy } from '../../access/policy.ts';
import { ApiError } from '../../core/errors.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, computed, integer, nullable, reference, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import {
  type ConfigurationVersion,
  configurationVersionById,
  configurationVersionRecords,
} from './configuration-version.ts';

/** A configuration version under the id of its commit. */
interface Commit extends ConfigurationVersion {
  configuration_version_id: string;
}

/** As a version keeps them: what was known of the commit when it was asked for, and what was found out since. */
export interface IngressAttributes {
  branch: string | null;
  'clone-url': string | null;
  'commit-message': string | null;
  'commit-sha': string | null;
  'commit-url': string | null;
  'compare-url': string | null;
  identifier: string | null;
  'is-pull-request': boolean | null;
  'on-default-branch': boolean | null;
  'pull-request-number': number | null;
  'pull-request-url': string | null;
  'pull-request-title': string | null;
  'pull-request-body': string | null;
  tag: string | null;
  'sender-username': string | null;
  'sender-avatar-url': string | null;
  'sender-html-url': string | null;
}

type Name = keyof IngressAttributes;

const value = (name: Name) => (row: Commit) => row.ingress_attributes?.[name] ?? null;
const words = (...names: Name[]) => names.map(name => [name, computed(nullable(text), value(name))] as const);
const flags = (...names: Name[]) => names.map(name => [name, computed(nullable(boolean), value(name))] as const);

export const ingressAttributes = resource({
  type: 'ingress-attributes',
  attributes: Object.fromEntries([
    ...words('branch', 'clone-url', 'commit-message', 'commit-sha', 'commit-url', 'compare-url', 'identifier'),
    ...flags('is-pull-request', 'on-default-branch'),
    ['pull-request-number', computed(nullable(integer), value('pull-request-number'))],
    ...words('pull-request-url', 'pull-request-title', 'pull-request-body', 'tag'),
    ...words('sender-username', 'sender-avatar-url', 'sender-html-url'),
  ]),
  relationships: {
    'created-by': reference('users', () => null),
  },
  links: (row: Commit) => ({
    self: `/api/v2/configuration-versions/${row.configuration_version_id}/ingress-attributes`,
  }),
  load: async (sql, actor, ids) => {
    const versions = await configurationVersionRecords.read(
      sql,
      actor,
      sql`configuration_versions.ingress_attributes_id = any(${ids as string[]})`,
    );
    return versions.map(asIngressAttributes);
  },
});

function asIngressAttributes(version: ConfigurationVersion): Commit {
  return { ...version, id: version.ingress_attributes_id!, configuration_version_id: version.id };
}

export const showIngressAttributes = endpoint({
  operation: 'configuration-versions.show-ingress-attributes',
  section: '§4.3',
  summary: 'Show the commit that a configuration version came from',
  method: 'GET',
  paths: ['/configuration-versions/:configuration_version_id/ingress-attributes'],
  subject: configurationVersionById,
  needs: policy['configuration-version:read'],
  answer: { status: 200, document: ingressAttributes },
  handle: ({ subject }) => {
    if (subject.ingress_attributes_id === null) throw new ApiError('not-found');
    return asIngressAttributes(subject);
  },
});
