/** Text that callers search by: `like` wildcards in it match literally. */

import { ApiError } from '../errors.ts';
import { type RawQuery, single } from './page.ts';

/** The value of a parameter that a list cannot do without. Throws `invalid-parameter`. */
export function neededParameter(query: RawQuery, parameter: string): string {
  const value = single(query, parameter);
  if (value) return value;
  throw new ApiError('invalid-parameter', { reason: `${parameter} must be given.` }, { parameter });
}

/** A pattern for `like` that matches `text` anywhere. */
export function containing(text: string): string {
  return `%${literal(text)}%`;
}

/** A pattern for `like` that matches `text` itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** `a,b , c` → `['a', 'b', 'c']`. */
export function commaSeparated(text: string | undefined): string[] {
  const parts = (text ?? '').split(',').map(part => part.trim());
  return parts.filter(part => part !== '');
}
