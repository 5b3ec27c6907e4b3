/** What no request may carry, whatever the endpoint: depth, NUL and lone surrogates, floods of parameters. */
import { ApiError } from '../errors.ts';
import type { RawQuery } from './page.ts';

export const bodyLimitBytes = 1024 * 1024;
export const depthLimit = 32;
export const parameterLimit = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a body. Throws `malformed-json` or `malformed-request`, pointing at the fault. */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new ApiError('malformed-json', { reason }, { pointer: '' });
  }
  inspect(json, '', 0);
  return json;
}

function inspect(value: unknown, pointer: string, depth: number): void {
  if (typeof value === 'string') refuseText(value, { pointer });
  if (typeof value !== 'object' || value === null) return;
  if (depth === depthLimit) {
    throw new ApiError('malformed-request', { reason: `JSON is nested over ${depthLimit} deep.` }, { pointer });
  }
  for (const [name, member] of Object.entries(value)) {
    refuseText(name, { pointer });
    inspect(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  }
}

function refuseText(text: string, source: { pointer: string } | { parameter: string }): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  throw new ApiError('malformed-request', { reason: 'Text may hold neither NUL nor lone surrogates.' }, source);
}

/** Refuses floods of query parameters and text that PostgreSQL cannot hold. */
export function inspectQuery(query: RawQuery): void {
  const entries = Object.entries(query);
  const count = entries.reduce((sum, [, value]) => sum + (Array.isArray(value) ? value.length : 1), 0);
  if (count > parameterLimit) {
    const reason = `A request may hold at most ${parameterLimit} query parameters.`;
    throw new ApiError('invalid-parameter', { reason }, { parameter: entries[parameterLimit]?.[0] ?? entries[0]![0] });
  }
  for (const [parameter, value] of entries) {
    refuseText(parameter, { parameter: 'query' });
    for (const one of Array.isArray(value) ? value : [value ?? '']) refuseText(one, { parameter });
  }
}

export function inspectParams(params: Readonly<Record<string, string>>): void {
  for (const [parameter, value] of Object.entries(params)) refuseText(value, { parameter });
}
