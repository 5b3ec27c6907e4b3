/** The forms of what a state version says about its resources. */
import { Type } from 'typebox';
import { integer, text } from '../../core/jsonapi/fields.ts';

/** Module or provider → type → how many. */
export const counts = Type.Unsafe<Record<string, Record<string, number>>>({
  type: 'object',
  additionalProperties: { type: 'object', additionalProperties: { type: 'integer' } },
});

/** One for each resource block; `count` is the number of its instances. */
export const groups = Type.Array(Type.Object({ name: text, type: text, count: integer, module: text, provider: text }));
