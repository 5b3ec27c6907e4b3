import { Type } from 'typebox';

/** Who executed it: the server itself, or an agent of a pool. */
export const executionDetails = Type.Unsafe<Record<string, string>>({
  type: 'object',
  properties: { mode: { type: 'string', enum: ['remote', 'agent'] } },
  additionalProperties: { type: 'string' },
  required: ['mode'],
});
