/** What PostgreSQL sends, message by message: a letter, a length that counts itself, and the content. */
import pg from 'pg';
import { binaryDecoderOf, byteaType, type Decode, decoderOf } from './values.ts';

/** The columns of a result and how each is read. */
export interface Fields {
  names: readonly string[];
  text: readonly Decode[];
  /** Undefined unless bytes are among them and each of them can be read in binary form. */
  binary: readonly Decode[] | undefined;
  /** A row in which nothing is known yet, so that all rows of the result have one shape. */
  blank: Record<string, unknown>;
}

const headerBytes = 5;

/** Cuts what arrives into messages, however it was divided on the way. */
export function messageReader(
  take: (letter: number, bytes: Buffer, from: number, to: number) => void,
): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let [held, wanted] = [0, headerBytes];
  return chunk => {
    pieces.push(chunk);
    held += chunk.length;
    // A long message is put together once, when all of it is there.
    if (held < wanted) return;
    const bytes = pieces.length === 1 ? chunk : Buffer.concat(pieces, held);
    let at = 0;
    wanted = headerBytes;
    while (held - at >= headerBytes) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (end > held) {
        wanted = end - at;
        break;
      }
      take(bytes[at]!, bytes, at + headerBytes, end);
      at = end;
    }
    pieces = at < held ? [bytes.subarray(at)] : [];
    held -= at;
  };
}

export function readFields(bytes: Buffer, from: number): Fields {
  const count = bytes.readUInt16BE(from);
  const names: string[] = [];
  const types: number[] = [];
  let at = from + 2;
  for (let index = 0; index < count; index += 1) {
    const end = bytes.indexOf(0, at);
    names.push(bytes.toString('utf8', at, end));
    // Between name and type: the table's number and the column's; behind it: length, modifier, format.
    types.push(bytes.readUInt32BE(end + 7));
    at = end + 19;
  }
  const binary = types.map(binaryDecoderOf);
  return {
    names,
    text: types.map(decoderOf),
    binary: types.includes(byteaType) && binary.every(one => one !== undefined) ? binary : undefined,
    blank: Object.fromEntries(names.map(name => [name, null])),
  };
}

export function readRow(bytes: Buffer, from: number, fields: Fields, isBinary: boolean): Record<string, unknown> {
  const row = { ...fields.blank };
  const decoders = isBinary ? fields.binary! : fields.text;
  let at = from + 2;
  for (let index = 0; index < decoders.length; index += 1) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) continue;
    row[fields.names[index]!] = decoders[index]!(bytes, at, at + length);
    at += length;
  }
  return row;
}

/** The last number of `INSERT 0 5`, `UPDATE 5`, `SELECT 5`; none in `BEGIN`. */
export function readCount(bytes: Buffer, from: number, to: number): number {
  const words = bytes.toString('latin1', from, to - 1).split(' ');
  return words.length > 1 ? Number(words.at(-1)) : 0;
}

export function readFault(bytes: Buffer, from: number, to: number): pg.DatabaseError {
  const members: Record<string, string> = {};
  for (let at = from; bytes[at] !== 0; ) {
    const end = bytes.indexOf(0, at + 1);
    members[String.fromCharCode(bytes[at]!)] = bytes.toString('utf8', at + 1, end);
    at = end + 1;
  }
  const fault = new pg.DatabaseError(members['M'] ?? 'PostgreSQL gave no reason', to - from, 'error');
  const { C: code, S: severity, D: detail, H: hint, P: position, W: where, n: constraint, R: routine } = members;
  return Object.assign(fault, { code, severity, detail, hint, position, where, constraint, routine });
}
