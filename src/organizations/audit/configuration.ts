/** §6 The audit configuration: whether the trail that collectors poll has an organization's events. They are recorded either way. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { attributeFault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import {
  addressed,
  boolean,
  booleans,
  computed,
  nullable,
  type Row,
  text,
  timestamp,
} from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { organizationByName } from '../organizations/organization.ts';

const trails = Type.Object({ enabled: boolean });
const streaming = Type.Object({
  enabled: boolean,
  'organization-id': nullable(text),
  'use-default-organization': boolean,
});
const times = [
  'audit-trails-disabled-at',
  'audit-trails-enabled-at',
  'audit-trails-last-failure',
  'audit-trails-last-success',
  'hcp-audit-log-streaming-disabled-at',
  'hcp-audit-log-streaming-enabled-at',
  'hcp-audit-log-streaming-last-failure',
  'hcp-audit-log-streaming-last-success',
] as const;
type Times = Record<(typeof times)[number], string | null>;

interface AuditedRow extends Row {
  created_at: string;
  audit_trails_enabled: boolean;
  audit_trails_changed_at: string | null;
}

export const auditConfigurations = resource({
  type: 'audit-configurations',
  attributes: {
    'audit-trails': computed(trails, (row: AuditedRow) => ({ enabled: row.audit_trails_enabled }), { write: trails }),
    /** Nothing is sent anywhere: collectors come for the trail. */
    'hcp-audit-log-streaming': computed(
      streaming,
      () => ({ enabled: false, 'organization-id': null, 'use-default-organization': false }),
      { write: Type.Object({ enabled: boolean }) },
    ),
    permissions: computed(
      booleans(
        'can-enable-hcp-audit-log-streaming',
        'can-set-hcp-audit-log-streaming-organization-id',
        'can-use-default-audit-log-streaming-organization',
      ),
      () => ({
        'can-enable-hcp-audit-log-streaming': false,
        'can-set-hcp-audit-log-streaming-organization-id': false,
        'can-use-default-audit-log-streaming-organization': false,
      }),
    ),
    timestamps: computed(
      Type.Unsafe<Times>(Type.Object(Object.fromEntries(times.map(name => [name, nullable(timestamp)])))),
      timesOf,
    ),
    'updated-at': computed(timestamp, (row: AuditedRow) => row.audit_trails_changed_at ?? row.created_at),
  },
  relationships: {
    organization: addressed('organizations', 'name'),
  },
});

/** Trails are on from an organization's first moment. */
function timesOf({ audit_trails_changed_at: changed, audit_trails_enabled: isOn, created_at }: AuditedRow): Times {
  return {
    ...(Object.fromEntries(times.map(name => [name, null])) as Times),
    'audit-trails-enabled-at': isOn ? (changed ?? created_at) : null,
    'audit-trails-disabled-at': isOn ? null : changed,
  };
}

const paths = ['/organizations/:organization_name/audit-configuration'] as const;

export const showAuditConfiguration = endpoint({
  operation: 'audit-configurations.show',
  section: '§6',
  summary: "Show whether an organization's events are in the audit trail",
  method: 'GET',
  paths,
  subject: organizationByName,
  needs: policy['organization:read-audit'],
  answer: { status: 200, document: auditConfigurations },
  handle: ({ subject }) => subject,
});

export const updateAuditConfiguration = endpoint({
  operation: 'audit-configurations.update',
  section: '§6',
  summary: "Take an organization's events out of the audit trail, or put them in again",
  method: 'PATCH',
  paths,
  subject: organizationByName,
  needs: policy['organization:read-audit'],
  body: documentBody(auditConfigurations),
  answer: { status: 200, document: auditConfigurations, reads: organizationByName },
  check: ({ body: { attributes }, faults }) => {
    if (!attributes['hcp-audit-log-streaming']?.enabled) return;
    faults.push(attributeFault('hcp-audit-log-streaming.enabled', 'Audit log streaming is not available here'));
  },
  handle: async ({ sql, subject, body: { attributes } }) => {
    const isOn = attributes['audit-trails']?.enabled;
    if (isOn === undefined) return;
    await sql`
      update organizations
      set audit_trails_enabled = ${isOn}, audit_trails_changed_at = now(), revision = default
      where organizations.id = ${subject.organization_id} and organizations.audit_trails_enabled <> ${isOn}`;
  },
});
