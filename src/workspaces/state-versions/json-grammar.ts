/** The small rules of JSON, byte by byte: numbers, words, escapes, and UTF-8 that is cut anywhere. */
import { isUtf8 } from 'node:buffer';

/** What the bytes lack to be a JSON document. */
export class NotJson extends Error {}

export function unexpected(byte: number): NotJson {
  return new NotJson(`there is an unexpected ${JSON.stringify(String.fromCharCode(byte))}`);
}

export const words: Readonly<Record<number, string>> = { 116: 'true', 102: 'false', 110: 'null' };

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const [zero, plus, minus, point] = [0x30, 0x2b, 0x2d, 0x2e];
const isExponentMark = (byte: number) => byte === 0x65 || byte === 0x45;

/** Where in a number the last byte stood. Those of which `mayEnd` holds are numbers already. */
const at = { minus: 1, zero: 2, whole: 3, point: 4, fraction: 5, mark: 6, sign: 7, exponent: 8 } as const;

/** The state after the first byte of a number, or 0 where none begins. */
export function numberBegins(byte: number): number {
  if (byte === minus) return at.minus;
  if (byte === zero) return at.zero;
  return isDigit(byte) ? at.whole : 0;
}

/** The state after a further byte, or 0 where the number ended before it. Throws NotJson. */
export function numberGoesOn(state: number, byte: number): number {
  if (isDigit(byte)) {
    if (state === at.minus) return byte === zero ? at.zero : at.whole;
    if (state === at.zero) throw unexpected(byte);
    if (state === at.point) return at.fraction;
    return state === at.mark || state === at.sign ? at.exponent : state;
  }
  if (byte === point && (state === at.zero || state === at.whole)) return at.point;
  if (isExponentMark(byte) && (state === at.zero || state === at.whole || state === at.fraction)) return at.mark;
  if ((byte === plus || byte === minus) && state === at.mark) return at.sign;
  if (state === at.minus || state === at.point || state === at.mark || state === at.sign) throw unexpected(byte);
  return 0;
}

/** After a backslash: how many hexadecimal digits must follow. Throws NotJson. */
export function escapeLength(byte: number): number {
  if (byte === 0x75) return 4;
  if ('"\\/bfnrt'.includes(String.fromCharCode(byte))) return 0;
  throw unexpected(byte);
}

export function requireHexDigit(byte: number): void {
  const letter = byte | 0x20;
  if (!isDigit(byte) && !(letter >= 0x61 && letter <= 0x66)) throw unexpected(byte);
}

/** Judges chunk after chunk; a character may be cut between two of them. Throws NotJson. */
export function utf8Judge(): { push: (chunk: Buffer) => void; end: () => void } {
  let cut = Buffer.alloc(0);
  const refuse = () => {
    throw new NotJson('it is not UTF-8');
  };
  return {
    push: chunk => {
      const bytes = cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk;
      const whole = wholeCharacters(bytes);
      if (!isUtf8(bytes.subarray(0, whole))) refuse();
      cut = Buffer.from(bytes.subarray(whole));
    },
    end: () => {
      if (cut.length > 0) refuse();
    },
  };
}

/** How many bytes come before a last character that is not complete. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
