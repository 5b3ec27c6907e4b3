/** The document of an explanation: may somebody do that, through what, and if not, what is missing and who could give it. */
import { type Static, Type } from 'typebox';
import type { Powers } from '../../core/access/powers.ts';
import {
  addressed,
  boolean,
  choice,
  column,
  type Identifier,
  nullable,
  type Row,
  text,
  texts,
} from '../../core/jsonapi/fields.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import type { Grant, Via } from './grants.ts';

export const grantShape = Type.Object({
  via: text,
  'team-id': nullable(text),
  'team-name': nullable(text),
  'record-type': nullable(text),
  'record-id': nullable(text),
  access: nullable(text),
  keys: texts,
});

const wayShape = Type.Object({ via: text, levels: texts, keys: texts });
const giverShape = Type.Object({ 'team-id': nullable(text), name: text });

const attributes = {
  action: column(text),
  'is-allowed': column(boolean),
  /** Each of them would be enough by itself; none where the action is not allowed. */
  grants: column(Type.Array(grantShape)),
  /** Any one of these powers would be enough; empty where the action is allowed. */
  'missing-powers': column(texts),
  /** What would give one of them; empty where the action is allowed. */
  ways: column(Type.Array(wayShape)),
  /** Who could give it, as far as the caller may see them; empty where the action is allowed. */
  givers: column(Type.Array(giverShape)),
};

export const explanations = resource({
  type: 'explanations',
  attributes,
  relationships: {
    user: addressed('users', 'user_id'),
    subject: choice(
      ['organizations', 'projects', 'teams', 'workspaces'],
      (row: Row & { subject: Identifier }) => row.subject,
    ),
  },
});

interface Explanation extends RowOf<typeof attributes> {
  user_id: string;
  subject: Identifier;
}

export interface Way {
  via: Via;
  levels: string[];
  keys: string[];
}

export interface Giver {
  'team-id': string | null;
  name: string;
}

/** What of a table of powers is needed, whatever their names. */
export interface NamedPowers<Kind extends string> {
  names: readonly string[];
  bit: Readonly<Record<string, Powers<Kind>>>;
  none: Powers<Kind>;
}

/** Everything that explanations of one record and one person are made of. */
export interface Facts<Kind extends string> {
  subject: { type: string; id: string };
  userId: string;
  /** As the finder says that decides about requests. */
  powers: Powers<Kind>;
  table: NamedPowers<Kind>;
  grants: readonly Grant<Kind>[];
  keysOf: (grant: Grant<Kind>, anyOf: Powers<Kind>) => string[];
  waysTo: (anyOf: Powers<Kind>) => Way[];
  givers: Giver[];
}

export function explained<Kind extends string>(facts: Facts<Kind>, action: string, anyOf: Powers<Kind>): Explanation {
  const { subject, powers, table, grants } = facts;
  const isAllowed = (powers & anyOf) !== 0;
  const giving = grants.filter(grant => (grant.powers & anyOf) !== 0);
  return {
    id: `${subject.id}:${facts.userId}:${action}`,
    action,
    is_allowed: isAllowed,
    grants: giving.map(grant => shownGrant(grant, facts.keysOf(grant, anyOf))),
    missing_powers: isAllowed ? [] : table.names.filter(name => (table.bit[name]! & anyOf) !== 0),
    ways: isAllowed ? [] : facts.waysTo(anyOf),
    givers: isAllowed ? [] : facts.givers,
    user_id: facts.userId,
    subject,
  };
}

export function shownGrant<Kind extends string>(
  { via, team, record }: Grant<Kind>,
  keys: readonly string[],
): Static<typeof grantShape> {
  return {
    via,
    'team-id': team?.id ?? null,
    'team-name': team?.name ?? null,
    'record-type': record?.type ?? null,
    'record-id': record?.id ?? null,
    access: record?.access ?? null,
    keys: [...keys],
  };
}
