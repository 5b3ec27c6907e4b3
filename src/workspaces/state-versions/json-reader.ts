/** Reads JSON as it streams by. Every byte is judged once, and nothing is held but what the visitor asks for. */
import { createHash, type Hash } from 'node:crypto';
import { limits } from '../../core/limits.ts';
import {
  escapeLength,
  NotJson,
  numberBegins,
  numberGoesOn,
  requireHexDigit,
  unexpected,
  utf8Judge,
  words,
} from './json-grammar.ts';

/** JSON, but not what is wanted; the message names the place. */
export class Unwanted extends Error {
  constructor(place: Place, reason: string) {
    super(`${nameOf(place)} ${reason}`);
  }
}

/** The members and positions that lead to a value: `['resources', 0, 'type']`. It changes as the reader goes on. */
export type Place = readonly (string | number)[];
export type Kind = 'object' | 'list' | 'text' | 'number' | 'word';

/**
 * What to do with a value. `skip`: judge it. `enter`: visit what it holds. `digest`: the same, and sum up its bytes.
 * `stream`: hand a text on in parts, escapes and all. A number: take it whole, up to so many bytes.
 */
export type Wish = 'skip' | 'enter' | 'digest' | 'stream' | number;

export interface Visitor {
  begin: (place: Place, kind: Kind) => Wish;
  taken?: (place: Place, json: Buffer) => void;
  part?: (text: Buffer, isLast: boolean) => void;
  /** After all that an entered value holds. */
  end?: (place: Place, digest: string | null) => void;
}

export interface JsonReader {
  /** Throws NotJson, Unwanted, and what the visitor throws. */
  push: (chunk: Buffer) => void;
  /** Throws NotJson where the document has not ended. */
  end: () => void;
}

type Phase = 'start' | 'key' | 'first-key' | 'colon' | 'value' | 'first-value' | 'next' | 'done';
type Inside = 'structure' | 'text' | 'escape' | 'hex' | 'number' | 'word';

interface Reading {
  visitor: Visitor;
  depthLimit: number;
  phase: Phase;
  inside: Inside;
  /** Of a number or a word: how far it has come. Of an escape: the digits to come. */
  progress: number;
  word: string;
  isKey: boolean;
  /** The brackets that close what is open. */
  closers: number[];
  /** One step for each container that was entered; deeper ones are only judged. */
  path: (string | number)[];
  /** The piece that is being taken: its limit, or 0; where it goes on in this chunk; what came in earlier ones. */
  limit: number;
  from: number;
  parts: Buffer[];
  length: number;
  isStreaming: boolean;
  hash: Hash | null;
  hashFrom: number;
  hashLevel: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** The document must be an object, which is entered. */
export function jsonReader(visitor: Visitor, depthLimit: number): JsonReader {
  const utf8 = utf8Judge();
  const reading: Reading = {
    ...{ visitor, depthLimit, phase: 'start', inside: 'structure', progress: 0, word: '', isKey: false, closers: [] },
    ...{ path: [], limit: 0, from: 0, parts: [], length: 0, isStreaming: false, hash: null, hashFrom: 0, hashLevel: 0 },
  };
  return {
    push: chunk => {
      utf8.push(chunk);
      for (let at = 0; at < chunk.length; ) at = step[reading.inside](reading, chunk, at);
      carryOver(reading, chunk);
    },
    end: () => {
      utf8.end();
      if (reading.phase !== 'done') throw new NotJson('it ends too early');
    },
  };
}

/** What a byte means, by what it stands in. Each returns where to go on. */
const step: Record<Inside, (reading: Reading, chunk: Buffer, at: number) => number> = {
  text: (reading, chunk, from) => {
    let at = from;
    let byte = 0;
    for (; at < chunk.length; at += 1) {
      byte = chunk[at]!;
      if (byte === quote || byte === backslash || byte < 0x20) break;
    }
    if (at === chunk.length) return at;
    if (byte < 0x20) throw unexpected(byte);
    if (byte === backslash) reading.inside = 'escape';
    else ended(reading, chunk, at + 1);
    return at + 1;
  },
  escape: (reading, chunk, at) => {
    reading.progress = escapeLength(chunk[at]!);
    reading.inside = reading.progress > 0 ? 'hex' : 'text';
    return at + 1;
  },
  hex: (reading, chunk, at) => {
    requireHexDigit(chunk[at]!);
    reading.progress -= 1;
    if (reading.progress === 0) reading.inside = 'text';
    return at + 1;
  },
  number: (reading, chunk, from) => {
    let at = from;
    while (at < chunk.length && reading.progress > 0) {
      reading.progress = numberGoesOn(reading.progress, chunk[at]!);
      if (reading.progress > 0) at += 1;
    }
    if (reading.progress === 0) ended(reading, chunk, at);
    return at;
  },
  word: (reading, chunk, at) => {
    const { word, progress } = reading;
    if (chunk[at] !== word.charCodeAt(progress)) throw unexpected(chunk[at]!);
    reading.progress += 1;
    if (reading.progress === word.length) ended(reading, chunk, at + 1);
    return at + 1;
  },
  structure: (reading, chunk, from) => {
    let at = from;
    while (at < chunk.length && isSpace(chunk[at]!)) at += 1;
    if (at === chunk.length) return at;
    const byte = chunk[at]!;
    const { phase, closers } = reading;
    if ((phase === 'key' || phase === 'first-key') && byte === quote) beginKey(reading, at);
    else if (phase === 'colon' && byte === colon) reading.phase = 'value';
    else if (phase === 'next' && byte === comma) anotherOne(reading);
    else if (phase !== 'key' && phase !== 'value' && phase !== 'colon' && byte === closers.at(-1))
      close(reading, chunk, at + 1);
    else if (phase === 'value' || phase === 'first-value' || (phase === 'start' && byte === openObject))
      begin(reading, byte, at);
    else throw unexpected(byte);
    return at + 1;
  },
};

const isVisited = ({ closers, path }: Reading) => closers.length === path.length;

function beginKey(reading: Reading, at: number): void {
  [reading.inside, reading.isKey] = ['text', true];
  if (isVisited(reading)) take(reading, at, limits.stateKey_bytes.value);
}

function begin(reading: Reading, byte: number, at: number): void {
  const kind = kindOf(byte);
  const wish = isVisited(reading) ? reading.visitor.begin(reading.path, kind) : 'skip';
  if (typeof wish === 'number') take(reading, at, wish);
  if (wish === 'digest')
    [reading.hash, reading.hashFrom, reading.hashLevel] = [createHash('sha256'), at, reading.path.length];
  if (kind === 'object' || kind === 'list') {
    open(reading, byte === openObject ? closeObject : closeList, wish === 'enter' || wish === 'digest');
    return;
  }
  [reading.inside, reading.isKey] = [kind, false];
  if (kind === 'number') reading.progress = numberBegins(byte);
  if (kind === 'word') [reading.word, reading.progress] = [words[byte]!, 1];
  if (wish === 'stream') [reading.isStreaming, reading.from] = [true, at + 1];
}

function kindOf(byte: number): Kind {
  if (byte === openObject) return 'object';
  if (byte === openList) return 'list';
  if (byte === quote) return 'text';
  if (words[byte]) return 'word';
  if (numberBegins(byte) > 0) return 'number';
  throw unexpected(byte);
}

function open(reading: Reading, closer: number, isEntered: boolean): void {
  if (reading.closers.length === reading.depthLimit)
    throw new Unwanted(reading.path, `is nested over ${reading.depthLimit} deep`);
  reading.closers.push(closer);
  reading.phase = closer === closeObject ? 'first-key' : 'first-value';
  if (isEntered) reading.path.push(closer === closeObject ? '' : 0);
}

function anotherOne(reading: Reading): void {
  const isList = reading.closers.at(-1) === closeList;
  reading.phase = isList ? 'value' : 'key';
  if (isList && isVisited(reading)) reading.path.push(Number(reading.path.pop()) + 1);
}

function close(reading: Reading, chunk: Buffer, end: number): void {
  const { path, closers, visitor } = reading;
  const wasEntered = isVisited(reading);
  closers.pop();
  reading.phase = closers.length === 0 ? 'done' : 'next';
  if (wasEntered) {
    path.pop();
    visitor.end?.(path, digestAt(reading, chunk, end));
  } else if (isVisited(reading)) finish(reading, chunk, end);
}

function digestAt(reading: Reading, chunk: Buffer, end: number): string | null {
  const { hash, hashLevel, hashFrom, path } = reading;
  if (!hash || hashLevel !== path.length) return null;
  reading.hash = null;
  return hash.update(chunk.subarray(hashFrom, end)).digest('base64url');
}

/** The end of a text, a number or a word, be it a value or the name of a member. */
function ended(reading: Reading, chunk: Buffer, end: number): void {
  reading.inside = 'structure';
  reading.phase = reading.isKey ? 'colon' : 'next';
  if (reading.isStreaming) {
    reading.isStreaming = false;
    reading.visitor.part?.(chunk.subarray(reading.from, end - 1), true);
  } else if (isVisited(reading)) finish(reading, chunk, end);
}

function take(reading: Reading, at: number, limit: number): void {
  [reading.limit, reading.from, reading.length, reading.parts] = [limit, at, 0, []];
}

/** Hands over the piece that was being taken, if one was. */
function finish(reading: Reading, chunk: Buffer, end: number): void {
  if (reading.limit === 0) return;
  const { parts, from, path, isKey } = reading;
  requireRoom(reading, end - from);
  reading.limit = 0;
  const piece = parts.length > 0 ? Buffer.concat([...parts, chunk.subarray(from, end)]) : chunk.subarray(from, end);
  if (isKey && reading.phase === 'colon') path[path.length - 1] = JSON.parse(piece.toString());
  else reading.visitor.taken?.(path, piece);
}

function requireRoom({ path, limit, length }: Reading, more: number): void {
  if (length + more > limit) throw new Unwanted(path, `is longer than ${limit} bytes`);
}

/** Nothing is held of a chunk: what goes on in the next one is copied, handed on or summed up. */
function carryOver(reading: Reading, chunk: Buffer): void {
  const rest = chunk.subarray(reading.from);
  if (reading.isStreaming) reading.visitor.part?.(rest, false);
  else if (reading.limit > 0) {
    requireRoom(reading, rest.length);
    reading.parts.push(Buffer.from(rest));
    reading.length += rest.length;
  }
  reading.from = 0;
  reading.hash?.update(chunk.subarray(reading.hashFrom));
  reading.hashFrom = 0;
}

/** `resources[0].type`, in at most 200 characters. */
function nameOf(place: Place): string {
  const name = place.map(one => (typeof one === 'number' ? `[${one}]` : `.${one}`)).join('');
  return (name.replace(/^\./, '') || 'it').slice(0, 200);
}
