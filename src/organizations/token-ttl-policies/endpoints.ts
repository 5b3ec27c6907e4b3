/** §5.6 The policies on the life of tokens: listed whole, and set by kind. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { valueBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { word } from '../../core/jsonapi/fields.ts';
import { organizationByName } from '../organizations/organization.ts';
import { life_ms, policiesOf, type TokenType, tokenTtlPolicies, tokenTypes } from './token-ttl-policy.ts';

interface PolicyGiven {
  'token-type': TokenType;
  'max-ttl-ms': number;
}

const paths = ['/organizations/:organization_name/token-ttl-policies'] as const;

const given = Type.Object({ 'token-type': word(...tokenTypes), 'max-ttl-ms': life_ms });

const body = valueBody<PolicyGiven[]>(
  Type.Object({
    data: Type.Object({
      type: Type.Literal(tokenTtlPolicies.type),
      attributes: Type.Object({
        'token-ttl-policies': Type.Array(given, { minItems: 1, maxItems: tokenTypes.length }),
      }),
    }),
  }),
  json =>
    (json as { data: { attributes: { 'token-ttl-policies': PolicyGiven[] } } }).data.attributes['token-ttl-policies'],
  [],
);

export const listTokenTtlPolicies = endpoint({
  operation: 'token-ttl-policies.list',
  section: '§5.6',
  summary: 'List how long tokens of each kind may live in an organization that asks for it',
  method: 'GET',
  paths,
  subject: organizationByName,
  needs: policy['organization:manage-token'],
  answer: { status: 200, collection: tokenTtlPolicies, pages: 'always' },
  handle: async ({ sql, subject, page }) => {
    const all = await policiesOf(sql, subject.organization_id);
    return { rows: all.slice(page.offset, page.offset + page.size), total: all.length };
  },
});

export const updateTokenTtlPolicies = endpoint({
  operation: 'token-ttl-policies.update',
  section: '§5.6',
  summary: 'Set how long tokens of some kinds may live; the other kinds keep what they have',
  method: 'PATCH',
  paths,
  subject: organizationByName,
  needs: policy['organization:update'],
  body,
  answer: { status: 200, collection: tokenTtlPolicies, pages: 'never' },
  check: ({ body, faults }) => void faults.push(...repeatedFaults(body)),
  handle: async ({ sql, subject, body, note }) => {
    for (const { 'token-type': type, 'max-ttl-ms': longest } of body) {
      await sql`
        insert into token_ttl_policies (organization_id, token_type, max_ttl_ms)
        values (${subject.organization_id}, ${type}, ${longest})
        on conflict (organization_id, token_type) do update set max_ttl_ms = excluded.max_ttl_ms, updated_at = now()`;
    }
    note({ 'token-ttl-policies': body });
    const rows = await policiesOf(sql, subject.organization_id);
    return { rows, total: rows.length };
  },
});

/** A kind that is named twice: which life is meant is unknowable. */
function repeatedFaults(policies: readonly PolicyGiven[]): Fault[] {
  const types = policies.map(one => one['token-type']);
  return types.flatMap((type, position) =>
    types.indexOf(type) === position
      ? []
      : [attributeFault(`token-ttl-policies.${position}.token-type`, `${type} is named twice`)],
  );
}

export const tokenTtlPolicyEndpoints = [listTokenTtlPolicies, updateTokenTtlPolicies];
