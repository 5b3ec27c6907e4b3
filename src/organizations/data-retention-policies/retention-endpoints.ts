/** §4.7 Show, set and remove a policy: the same story for a workspace and for the default of an organization. */
import { ApiError } from '../../core/errors.ts';
import { type Body, documentBody } from '../../core/jsonapi/body.ts';
import { type AnyEndpoint, endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Finder, Needs, Subject } from '../../core/jsonapi/records.ts';
import { newId } from '../../core/store/ids.ts';
import {
  dataRetentionPolicies,
  isSelfHosted,
  policyInEffect,
  type RetentionHolder,
  type RetentionType,
  removePolicy,
  setPolicy,
} from './data-retention-policy.ts';

export interface Retention<Found extends Subject<string>> {
  type: 'workspaces' | 'organizations';
  /** `/workspaces/:workspace_id` */
  path: `/${string}`;
  subject: Finder<Found>;
  read: Needs<Found>;
  manage: Needs<Found>;
  holder: (subject: Found) => RetentionHolder;
  organizationName: (subject: Found) => string;
}

export function retentionEndpoints<Found extends Subject<string>>(retention: Retention<Found>): AnyEndpoint[] {
  const { type, path, subject, manage, holder } = retention;
  return [
    showingEndpoint(retention),
    settingEndpoint(retention, 'POST'),
    settingEndpoint(retention, 'PATCH'),
    endpoint({
      operation: `${type}.remove-data-retention-policy`,
      section: '§4.7',
      summary: 'Remove the data retention policy made here',
      method: 'DELETE',
      paths: [`${path}/relationships/data-retention-policy`],
      subject,
      needs: manage,
      when: isSelfHosted,
      answer: { status: 204 },
      handle: async ({ sql, subject, note }) => {
        if (await removePolicy(sql, holder(subject))) note({ 'data-retention-policy': null });
      },
    }),
  ];
}

function showingEndpoint<Found extends Subject<string>>(retention: Retention<Found>) {
  const { type, path, subject, read, holder, organizationName } = retention;
  return endpoint({
    operation: `${type}.show-data-retention-policy`,
    section: '§4.7',
    summary: 'Show the data retention policy in effect',
    method: 'GET',
    paths: [`${path}/relationships/data-retention-policy`],
    subject,
    needs: read,
    when: isSelfHosted,
    answer: { status: 200, document: dataRetentionPolicies },
    handle: async ({ sql, subject }) => {
      const policy = await policyInEffect(sql, holder(subject), organizationName(subject));
      if (!policy) throw new ApiError('not-found');
      return policy;
    },
  });
}

/** Clients use both verbs for the same act. */
function settingEndpoint<Found extends Subject<string>>(retention: Retention<Found>, method: 'POST' | 'PATCH') {
  const { type, path, subject, manage, holder, organizationName } = retention;
  return endpoint({
    operation: `${type}.${method === 'POST' ? 'set' : 'update'}-data-retention-policy`,
    section: '§4.7',
    summary: 'Set the data retention policy, in place of one that was made here before',
    method,
    paths: [`${path}/relationships/data-retention-policy`],
    subject,
    needs: manage,
    when: isSelfHosted,
    body: policyBody,
    answer: { status: 200, document: dataRetentionPolicies },
    handle: async ({ sql, subject, body }) => {
      await setPolicy(sql, holder(subject), { id: newId('drp'), ...body });
      return (await policyInEffect(sql, holder(subject), organizationName(subject)))!;
    },
  });
}

interface PolicyGiven {
  type: RetentionType;
  days: number | null;
}

const options = {
  aliases: { deleteOlderThanNDays: 'delete-older-than-n-days' },
};
const described = documentBody(dataRetentionPolicies, options);
const withDays = documentBody(dataRetentionPolicies, { ...options, required: ['delete-older-than-n-days'] });

/** A policy that never deletes has no days, whatever its body says of them. */
const policyBody: Body<PolicyGiven> = {
  schema: described.schema,
  parse: (json, deployment) => {
    const type = (json as { data?: { type?: RetentionType } } | null)?.data?.type ?? 'data-retention-policies';
    const neverDeletes = type === 'data-retention-policy-dont-deletes';
    const { value, faults } = (neverDeletes ? described : withDays).parse(json, deployment);
    const days = neverDeletes ? null : (value.attributes['delete-older-than-n-days'] ?? null);
    return { value: { type, days }, faults };
  },
};
