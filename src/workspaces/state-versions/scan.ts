/** Reads a state as it streams by, member by member: nothing is held but the piece under the scanner. */

/** What the content lacks to be a JSON document. */
export class NotJson extends Error {}

/** One member of the document, or one item of `resources` or `outputs`: `item` is its name, or empty for those of a list. */
export type Visit = (member: string, item: string | null, json: unknown) => void;

export interface Scanner {
  /** Throws NotJson. */
  push: (chunk: Buffer) => void;
  /** Throws NotJson when the document has not ended. Returns whether every piece was small enough to be read. */
  end: () => boolean;
}

/** The largest single piece that is parsed: a resource block with all its instances, or an output. */
const pieceLimitBytes = 64 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openObject, closeObject, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsScalar = (byte: number) => byte === comma || byte === closeObject || byte === closeList || isSpace(byte);

type Phase = 'start' | 'key' | 'first-key' | 'colon' | 'value' | 'first-value' | 'next' | 'done';

/** A piece of JSON that is being collected, perhaps over several chunks. */
interface Piece {
  isKey: boolean;
  form: 'scalar' | 'string' | 'container';
  parts: Buffer[];
  length: number;
  /** Where it began in the present chunk. */
  from: number;
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
}

export function stateScanner(visit: Visit): Scanner {
  let phase: Phase = 'start';
  let piece: Piece | null = null;
  let member = '';
  let item: string | null = null;
  /** The bracket that closes the opened `resources` or `outputs`. */
  let opened = 0;
  let isWhole = true;

  const begin = (byte: number, at: number, isKey: boolean) => {
    const form = byte === quote ? 'string' : byte === openObject || byte === openList ? 'container' : 'scalar';
    const depth = form === 'container' ? 1 : 0;
    piece = { isKey, form, parts: [], length: 0, from: at, depth, isInString: form === 'string', isEscaped: false };
  };
  const finish = (found: Piece, chunk: Buffer, end: number) => {
    piece = null;
    phase = found.isKey ? 'colon' : 'next';
    if (found.length > pieceLimitBytes) {
      isWhole = false;
      return;
    }
    const json = parse(Buffer.concat([...found.parts, chunk.subarray(found.from, end)]));
    if (!found.isKey) visit(member, item, json);
    else if (opened === 0) member = json as string;
    else item = json as string;
  };
  const step = (byte: number, at: number) => {
    if (phase === 'start' && byte === openObject) phase = 'first-key';
    else if ((phase === 'key' || phase === 'first-key') && byte === quote) begin(byte, at, true);
    else if (phase === 'colon' && byte === colon) phase = 'value';
    else if (phase === 'value' && opened === 0 && member === 'resources' && byte === openList) {
      [opened, phase, item] = [closeList, 'first-value', ''];
    } else if (phase === 'value' && opened === 0 && member === 'outputs' && byte === openObject) {
      [opened, phase] = [closeObject, 'first-key'];
    } else if (phase === 'value' || (phase === 'first-value' && byte !== closeList)) begin(byte, at, false);
    else if (phase === 'next' && byte === comma) phase = opened === closeList ? 'value' : 'key';
    else if (opened !== 0 && byte === opened && phase !== 'key') [opened, phase, item] = [0, 'next', null];
    else if (opened === 0 && byte === closeObject && (phase === 'next' || phase === 'first-key')) phase = 'done';
    else throw new NotJson(`there is an unexpected ${JSON.stringify(String.fromCharCode(byte))}`);
  };
  const push = (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length) {
      if (piece) {
        const end = endOf(piece, chunk, at);
        if (end < 0) break;
        finish(piece, chunk, end);
        at = end;
      } else {
        const byte = chunk[at]!;
        if (!isSpace(byte)) step(byte, at);
        at += 1;
      }
    }
    if (piece) carry(piece, chunk);
  };
  const end = () => {
    if (phase !== 'done') throw new NotJson('it ends too early');
    return isWhole;
  };
  return { push, end };
}

/** Where the piece ends in the chunk, or -1. The first byte was looked at when it began. */
function endOf(piece: Piece, chunk: Buffer, at: number): number {
  const { form } = piece;
  let { depth, isInString, isEscaped } = piece;
  for (let position = at; position < chunk.length; position += 1) {
    const byte = chunk[position]!;
    if (form === 'scalar') {
      if (endsScalar(byte)) return position;
    } else if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (byte === backslash) isEscaped = true;
      else if (byte === quote) {
        isInString = false;
        if (depth === 0) return position + 1;
      }
    } else if (byte === quote) isInString = true;
    else if (byte === openObject || byte === openList) depth += 1;
    else if (byte === closeObject || byte === closeList) {
      depth -= 1;
      if (depth === 0) return position + 1;
    }
  }
  Object.assign(piece, { depth, isInString, isEscaped });
  return -1;
}

/** Keeps the beginning of a piece that goes on in the next chunk; one past the limit is only counted. */
function carry(piece: Piece, chunk: Buffer): void {
  const part = chunk.subarray(piece.from);
  piece.length += part.length;
  piece.from = 0;
  if (piece.length <= pieceLimitBytes) piece.parts.push(Buffer.from(part));
  else piece.parts.length = 0;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw new NotJson(error instanceof SyntaxError ? error.message.slice(0, 200) : 'it is not UTF-8');
  }
}
