/** What no request may carry, whatever the endpoint: depth, NUL and lone surrogates, floods of parameters. */
import { randomUUID } from 'node:crypto';
import { ApiError, type Fault, faultAt, faultLimit } from '../errors.ts';
import type { RawQuery } from './page.ts';

export const bodyLimitBytes = 1024 * 1024;
export const depthLimit = 32;
export const parameterLimit = 200;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a body says, and which of its text PostgreSQL cannot hold: that is left out, so that rules can judge the rest. */
export interface ReadBody {
  json: unknown;
  faults: Fault[];
}

/** Throws `malformed-json` for what cannot be read at all, and `malformed-request` for JSON that is nested too deep. */
export function readJson(bytes: Buffer): ReadBody {
  if (bytes.length === 0) return { json: undefined, faults: [] };
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8';
    throw new ApiError('malformed-json', { reason }, { pointer: '' });
  }
  const faults: Fault[] = [];
  return { json: inspect(json, [], faults), faults };
}

function inspect(value: unknown, path: string[], faults: Fault[]): unknown {
  if (typeof value === 'string') {
    if (isStorable(value)) return value;
    addFault(path, faults);
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length === depthLimit) {
    const reason = `JSON is nested over ${depthLimit} deep.`;
    throw new ApiError('malformed-request', { reason }, { pointer: pointerOf(path) });
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) addFault(path, faults);
    path.push(name);
    if (inspect(member, path, faults) === undefined) delete (value as Record<string, unknown>)[name];
    path.pop();
  }
  return value;
}

function addFault(path: readonly string[], faults: Fault[]): void {
  if (faults.length === faultLimit) return;
  const name = path[1] === 'attributes' ? 'invalid-attribute' : 'invalid-document';
  faults.push(faultAt(name, pointerOf(path), { reason: unstorable }));
}

function pointerOf(path: readonly string[]): string {
  return path.map(name => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

const unstorable = 'Text may hold neither NUL nor lone surrogates.';

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
  if (count > parameterLimit) {
    const reason = `A request may hold at most ${parameterLimit} query parameters.`;
    throw new ApiError('invalid-parameter', { reason }, { parameter: entries[parameterLimit]?.[0] ?? entries[0]![0] });
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

/** From this length on a text is left as bytes, where an endpoint takes larger bodies than others. */
const longTextBytes = 64 * 1024;
/** Nobody outside can know it, and so send a text that is taken for another one. */
const placeholder = `long-text:${randomUUID()}`;
const [quote, backslash] = [0x22, 0x5c];

/** By the placeholder that stands for it: the bytes between the quotes, escapes and all. */
export type LongTexts = ReadonlyMap<string, Buffer>;

/** A body without its long texts, which are neither copied nor decoded. Throws `body-too-large` when it is long without them. */
export function setLongTextsAside(bytes: Buffer): { rest: Buffer; longTexts: LongTexts } {
  const longTexts = new Map<string, Buffer>();
  const kept: Buffer[] = [];
  let from = 0;
  for (let start = bytes.indexOf(quote); start >= 0; ) {
    const end = endOfText(bytes, start + 1);
    if (end < 0) break;
    if (end - start > longTextBytes) {
      const name = `${placeholder}:${longTexts.size}`;
      longTexts.set(name, bytes.subarray(start + 1, end));
      kept.push(bytes.subarray(from, start + 1), Buffer.from(name));
      from = end;
    }
    start = bytes.indexOf(quote, end + 1);
  }
  const rest = Buffer.concat([...kept, bytes.subarray(from)]);
  if (rest.length > bodyLimitBytes) throw new ApiError('body-too-large', { limit: bodyLimitBytes }, { pointer: '' });
  return { rest, longTexts };
}

/** The quote that ends a text: one before which the backslashes are even in number. */
function endOfText(bytes: Buffer, from: number): number {
  for (let end = bytes.indexOf(quote, from); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let before = end;
    while (before > from && bytes[before - 1] === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}
