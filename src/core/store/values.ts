/** Values on their way to PostgreSQL and back: as text, but for bytes, which travel as they are. */

/** A value that goes as JSON, whatever it is. Null is the null of SQL. */
export class Json {
  readonly text: string | null;
  constructor(value: unknown) {
    this.text = value === null ? null : JSON.stringify(value);
  }
}

export type Parameter = string | Buffer | null;

/** Throws where a value was left out: in SQL that would quietly be null. */
export function encode(value: unknown): Parameter {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Json) return value.text;
  if (Array.isArray(value)) return arrayText(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === 'object') return JSON.stringify(value);
  throw new TypeError(`A statement was given ${typeof value} as a value.`);
}

function arrayText(values: readonly unknown[]): string {
  const elements = values.map(value => {
    const text = encode(value);
    if (text === null) return 'NULL';
    if (Buffer.isBuffer(text)) return `"\\\\x${text.toString('hex')}"`;
    return Array.isArray(value) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

/** Reads one value of a row, which lies between two places in the bytes. */
export type Decode = (bytes: Buffer, from: number, to: number) => unknown;

/** How the values of a type are read, by its number in PostgreSQL's catalogue. */
export function decoderOf(type: number): Decode {
  return decoders[type] ?? text;
}

/** How they are read where the whole result was asked for in binary form; undefined for types that come as text only. */
export function binaryDecoderOf(type: number): Decode | undefined {
  return binaryDecoders[type];
}

const text = (bytes: Buffer, from: number, to: number) => bytes.toString('utf8', from, to);
const number: Decode = (bytes, from, to) => Number(bytes.toString('latin1', from, to));
const boolean: Decode = (bytes, from) => bytes[from] === 0x74;
const json: Decode = (bytes, from, to) => JSON.parse(text(bytes, from, to));
const timestamp: Decode = (bytes, from, to) => wireTimestamp(bytes.toString('latin1', from, to));
const hexadecimal: Decode = (bytes, from, to) => Buffer.from(bytes.toString('latin1', from + 2, to), 'hex');
const texts: Decode = (bytes, from, to) => parseTextArray(text(bytes, from, to));
const numbers: Decode = (bytes, from, to) => parseTextArray(text(bytes, from, to)).map(Number);

export const byteaType = 17;

const decoders: Record<number, Decode> = {
  16: boolean,
  [byteaType]: hexadecimal,
  20: number,
  21: number,
  23: number,
  26: number,
  114: json,
  700: number,
  701: number,
  1003: texts,
  1005: numbers,
  1007: numbers,
  1009: texts,
  1015: texts,
  1016: numbers,
  1184: timestamp,
  3802: json,
};

/** Copied, since what was received is let go of once it is read. */
const copied: Decode = (bytes, from, to) => Buffer.from(bytes.subarray(from, to));

const binaryDecoders: Record<number, Decode> = {
  16: (bytes, from) => bytes[from] === 1,
  [byteaType]: copied,
  19: text,
  20: (bytes, from) => Number(bytes.readBigInt64BE(from)),
  21: (bytes, from) => bytes.readInt16BE(from),
  23: (bytes, from) => bytes.readInt32BE(from),
  25: text,
  1043: text,
};

/** PostgreSQL's `2026-11-21 11:29:59.12+00` in the wire's form, `2026-11-21T11:29:59.120Z` (§1). */
export function wireTimestamp(text: string): string {
  const zone = text.lastIndexOf('+');
  const clock = text.slice(11, zone);
  const point = clock.indexOf('.');
  const seconds = point < 0 ? clock : clock.slice(0, point);
  const fraction = point < 0 ? '' : clock.slice(point + 1);
  return `${text.slice(0, 10)}T${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

function parseTextArray(text: string): string[] {
  if (text === '{}') return [];
  if (!text.includes('"') && !text.includes('\\')) return text.slice(1, -1).split(',');
  const values: string[] = [];
  const element = /"((?:[^"\\]|\\.)*)"|([^",{}]+)/gs;
  for (const [, quoted, plain] of text.matchAll(element)) values.push(plain ?? quoted!.replace(/\\(.)/gs, '$1'));
  return values;
}
