/** What no request may carry, whatever the endpoint: depth, NUL and lone surrogates, floods of parameters. */
import { ApiError, type Fault, faultAt } from '../errors.ts';
import { limits } from '../limits.ts';
import type { RawQuery } from './query.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a body says, and which of its text PostgreSQL cannot hold: that is left out, so that rules can judge the rest. */
export interface ReadBody {
  json: unknown;
  faults: Fault[];
}

/** Throws `malformed-json` for what cannot be read at all, and `malformed-request` for JSON that is nested too deep. */
export function readJson(bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { json: undefined, faults: [] };
  refuseFlood(bytes);
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new ApiError('malformed-json', { reason }, { pointer: '' });
  }
  const faults: Fault[] = [];
  return { json: inspect(json, { path: [], faults, values: 0 }), faults };
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Reads past what no body may hold at a tenth of the cost of making values of it, during which nobody else is served. */
function refuseFlood(bytes: Buffer): void {
  const mostValues = limits.bodyValues_items.value;
  // Each value takes a byte, and another one that separates it from the next.
  if (bytes.length < 2 * mostValues) return;
  let [values, depth] = [1, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) values += 1;
    else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) depth -= 1;
    if (values > mostValues) throw tooMany([]);
    if (depth > limits.bodyDepth_levels.value) throw tooDeep([]);
  }
}

/** The quote that ends the text of the one at `from`. */
function endOfText(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(quote, from + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

function tooMany(path: readonly string[]): ApiError {
  const reason = `A body holds at most ${limits.bodyValues_items.value} values.`;
  return new ApiError('malformed-request', { reason }, { pointer: pointerOf(path) });
}

function tooDeep(path: readonly string[]): ApiError {
  const reason = `JSON is nested over ${limits.bodyDepth_levels.value} deep.`;
  return new ApiError('malformed-request', { reason }, { pointer: pointerOf(path) });
}

interface Inspection {
  path: string[];
  faults: Fault[];
  /** Seen so far. */
  values: number;
}

/** Every value once, and none of a list that is too long: whoever judges a body after this judges little. */
function inspect(value: unknown, inspection: Inspection): unknown {
  const { path, faults } = inspection;
  inspection.values += 1;
  if (inspection.values > limits.bodyValues_items.value) throw tooMany(path);
  if (typeof value === 'string') {
    if (isStorable(value)) return value;
    addFault(path, faults);
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length === limits.bodyDepth_levels.value) throw tooDeep(path);
  if (Array.isArray(value)) refuseLongList(value, path);
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) addFault(path, faults);
    path.push(name);
    const member = (value as Record<string, unknown>)[name];
    if (inspect(member, inspection) === undefined) delete (value as Record<string, unknown>)[name];
    path.pop();
  }
  return value;
}

function refuseLongList(list: readonly unknown[], path: readonly string[]): void {
  const most = limits.bodyList_items.value;
  if (list.length <= most) return;
  const reason = `A list in a body holds at most ${most} items; this one holds ${list.length}. Send the rest in further requests.`;
  throw new ApiError('invalid-document', { reason }, { pointer: pointerOf(path) });
}

function addFault(path: readonly string[], faults: Fault[]): void {
  const name = path[1] === 'attributes' ? 'invalid-attribute' : 'invalid-document';
  faults.push(faultAt(name, pointerOf(path), { reason: unstorable }));
}

function pointerOf(path: readonly string[]): string {
  return path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const unstorable = 'Text may hold neither a NUL character nor half of a surrogate pair.';

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function refuseText(text: string, parameter: string): void {
  if (!isStorable(text)) throw new ApiError('malformed-request', { reason: unstorable }, { parameter });
}

/** Refuses floods of query parameters, broken percent-encoding, and text that PostgreSQL cannot hold. */
export function inspectQuery(query: RawQuery, address: string): void {
  const entries = Object.entries(query);
  const count = entries.reduce((sum, [, value]) => sum + (Array.isArray(value) ? value.length : 1), 0);
  if (count > limits.queryParameters_items.value) {
    const reason = `A request may hold at most ${limits.queryParameters_items.value} query parameters.`;
    throw new ApiError(
      'invalid-parameter',
      { reason },
      { parameter: entries[limits.queryParameters_items.value]?.[0] ?? entries[0]![0] },
    );
  }
  refuseBrokenEncoding(address);
  for (const [parameter, value] of entries) {
    refuseText(parameter, parameter);
    for (const one of Array.isArray(value) ? value : [value ?? '']) refuseText(one, parameter);
  }
}

/** The parser takes `%zz` for text; whoever sent it meant something else. */
function refuseBrokenEncoding(address: string): void {
  const start = address.indexOf('?');
  if (start < 0 || address.indexOf('%', start) < 0) return;
  for (const member of address.slice(start + 1).split('&')) {
    try {
      decodeURIComponent(member);
    } catch {
      const parameter = member.split('=', 1)[0]!;
      throw new ApiError('malformed-request', { reason: 'The query is not valid percent-encoding.' }, { parameter });
    }
  }
}

export function inspectParams(params: Readonly<Record<string, string>>): void {
  for (const [parameter, value] of Object.entries(params)) refuseText(value, parameter);
}
