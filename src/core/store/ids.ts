/** Ids: a prefix and 16 base58 characters from a cryptographic source (§2.2). No other file makes one. */
import { createHash, randomBytes } from 'node:crypto';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Without `0`, `O`, `I` and `l`: clients take any other text for a name. Ids of earlier releases hold these four, too. */
const base58 = base62.replace(/[0OIl]/g, '');

/** Random bytes drawn many at a time: a call for each request's id took 13 of 430 µs. */
let pool = Buffer.alloc(0);
let used = 0;

function nextByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  const byte = pool[used]!;
  used += 1;
  return byte;
}

/** `count` random base62 characters. */
export function randomBase62(count: number): string {
  return randomText(count, base62);
}

/** Bytes past the last multiple of the alphabet's length are drawn again, so that each character is equally likely. */
function randomText(count: number, alphabet: string): string {
  const { length } = alphabet;
  const usable = 256 - (256 % length);
  let text = '';
  while (text.length < count) {
    const byte = nextByte();
    if (byte < usable) text += alphabet[byte % length];
  }
  return text;
}

export const idPrefixes = [
  'ae',
  'agent',
  'apool',
  'apply',
  'asmtres',
  'at',
  'blob',
  'cv',
  'drp',
  'ia',
  'idp',
  'job',
  'lcode',
  'nc',
  'oc',
  'org',
  'ot',
  'ou',
  'plan',
  'plink',
  'prj',
  're',
  'readme',
  'req',
  'rt',
  'rtk',
  'run',
  'sess',
  'srv',
  'sshkey',
  'sv',
  'tag',
  'task',
  'taskrs',
  'tb',
  'team',
  'tool',
  'tprj',
  'ts',
  'tttl',
  'tws',
  'user',
  'var',
  'varset',
  'whd',
  'ws',
  'wsc',
  'wsout',
  'wsr',
  'wstask',
] as const;

export type IdPrefix = (typeof idPrefixes)[number];

/** Whether the text is an id of this kind, of this or an earlier release, or of another server of the API. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}-`) && /^[0-9A-Za-z]{16}$/.test(text.slice(prefix.length + 1));
}

/** A new id such as `ws-6jrRyVDv1J8zQMB5`. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}-${randomText(16, base58)}`;
}

/** The id that follows from a text: the same text gives the same id. For records that are made again alike (seeds). */
export function derivedId(prefix: IdPrefix, text: string): string {
  let id = `${prefix}-`;
  for (const byte of createHash('sha256').update(text).digest().subarray(0, 16)) id += base58[byte % 58];
  return id;
}
