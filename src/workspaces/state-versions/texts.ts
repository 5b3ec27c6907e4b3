/** Texts of a state: how long they may be, and what PostgreSQL can hold of them. */
import { type Place, Unwanted } from './json-reader.ts';

/** The bytes that a text of so many characters has at most in JSON, where each may be written as `\u0000`. */
export const textLimit = (characters: number) => 6 * characters + 2;

/** Throws Unwanted for what is no text, or a longer one. */
export function textAt(place: Place, json: string, mostCharacters: number): string {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'string') throw new Unwanted(place, 'must be a text');
  if (value.length > mostCharacters) throw new Unwanted(place, `is longer than ${mostCharacters} characters`);
  return storable(value);
}

/** PostgreSQL holds neither NUL nor lone surrogates; JSON may. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
