/** §3 What a lock may be given: a reason, and when it is to end by itself. */
import { Type } from 'typebox';
import { type Fault, faultAt } from '../../core/errors.ts';
import { type Body, valueBody } from '../../core/jsonapi/body.ts';
import { limits } from '../../core/limits.ts';

export interface LockGiven {
  reason: string;
  /** Null: it holds until somebody ends it. */
  expiresAt: string | null;
  /** Where the body says `expiresAt`. */
  pointer: string;
}

interface Members {
  reason?: string | null;
  'lock-expires-at'?: string | null;
}

const members = {
  reason: { type: ['string', 'null'], maxLength: 4096 },
  'lock-expires-at': {
    type: ['string', 'null'],
    format: 'date-time',
    'x-rule': 'must be a time such as 2026-01-31T12:00:00Z',
  },
};

const plain: LockGiven = { reason: '', expiresAt: null, pointer: '' };

const shape = valueBody(
  Type.Unsafe<object>({
    type: 'object',
    properties: {
      ...members,
      data: { type: ['object', 'null'], properties: { attributes: { type: 'object', properties: members } } },
    },
  }),
  read,
  plain,
);

/** `{ "reason" }`, or the same inside a document of whatever type, or nothing at all. */
export const lockBody: Body<LockGiven> = {
  ...shape,
  parse: (json, deployment) => (json === undefined ? { value: plain, faults: [] } : shape.parse(json, deployment)),
};

function read(json: unknown): LockGiven {
  const body = json as Members & { data?: { attributes?: Members } | null };
  const attributes = body.data?.attributes;
  const isBare = body['lock-expires-at'] != null;
  return {
    reason: body.reason ?? attributes?.reason ?? '',
    expiresAt: body['lock-expires-at'] ?? attributes?.['lock-expires-at'] ?? null,
    pointer: `${isBare ? '' : '/data/attributes'}/lock-expires-at`,
  };
}

const day_ms = 86_400_000;

/** An end must lie ahead, and not further than anybody plans with a lock. */
export function leaseFaults({ expiresAt, pointer }: LockGiven, now_ms: number): Fault[] {
  if (expiresAt === null) return [];
  const days = limits.lockLease_days.value;
  const ahead_ms = Date.parse(expiresAt) - now_ms;
  if (ahead_ms > 0 && ahead_ms <= days * day_ms) return [];
  const reason = `Lock expires at must lie in the future, and at most ${days} days ahead.`;
  return [faultAt('invalid-attribute', pointer, { reason })];
}
