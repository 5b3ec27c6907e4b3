/** API tokens: random, with a prefix and a checksum that scanners recognise; stored only as a keyed hash. */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62 } from '../../core/store/ids.ts';

/** A new token: `terrane_`, 40 random base62 characters (238 bits), `_` and the CRC-32 of what precedes, in hex. */
export const newToken = (): string => withChecksum(`terrane_${randomBase62(40)}`);

const beginningOfRuns = 'terrane_run_';

/** The same for a run, of 214 bits: what it belongs to can be seen without asking the database, and by scanners. */
export const newRunToken = (): string => withChecksum(`${beginningOfRuns}${randomBase62(36)}`);

/** Whether the text has the form of a run's token; it may be nobody's. */
export const seemsOfRun = (text: string): boolean => text.startsWith(beginningOfRuns);

const withChecksum = (body: string) => `${body}_${checksumOf(body)}`;

/** Whether the text can be a token at all: one of our own form has the right checksum. Others may be an operator's choice. */
export function mayBeToken(text: string): boolean {
  const [, body, checksum] = /^(terrane_\w{40})_([0-9a-f]{8})$/.exec(text) ?? [];
  return body ? checksum === checksumOf(body) : !text.startsWith('terrane_');
}

const checksumOf = (body: string) => crc32(body).toString(16).padStart(8, '0');

/** HMAC-SHA-256 under the installation's pepper: a stolen database yields no token. */
export function tokenHash(pepper: string, token: string): Buffer {
  return createHmac('sha256', pepper).update(token).digest();
}

/** When a token expires that names no date itself; null when tokens live for ever. Clients reckon two calendar years. */
export function defaultExpiry(ttlDays: number | undefined, now = new Date()): string | null {
  if (ttlDays === 0) return null;
  if (ttlDays !== undefined) return new Date(now.getTime() + ttlDays * 86_400_000).toISOString();
  const then = new Date(now);
  then.setUTCFullYear(now.getUTCFullYear() + 2);
  return then.toISOString();
}
