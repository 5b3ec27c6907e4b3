/** What must be read again but by nobody else, sealed in the database: a stolen copy of it opens nothing. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Fragment, Sql } from './store.ts';

const formVersion = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes;
const leastBytes = headerBytes + nonceBytes + tagBytes;

/** What keys are made of: the configuration has these members. */
export interface KeyMaterial {
  /** Seals, and opens what it sealed. */
  encryptionKey?: string | undefined;
  /** Open what they sealed while they were the encryption key. */
  oldEncryptionKeys?: readonly string[] | undefined;
  /** Opens what was sealed before there was an encryption key, and seals where there is none. */
  tokenPepper?: string | undefined;
}

interface Key {
  bytes: Buffer;
  id: Buffer;
}

/**
 * Seals `plain` with AES-256-GCM under a key derived from the material, whose id stands in the result.
 * @param context where the secret belongs, such as `ssh-keys/sshkey-…`: it opens nowhere else
 * @returns version (1 byte), key id (8), nonce (12), tag (16) and the cipher text
 */
export function seal(material: KeyMaterial, plain: string | Buffer, context: string): Buffer {
  const { bytes, id } = sealingKey(material);
  const header = Buffer.concat([Buffer.of(formVersion), id]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.concat([header, Buffer.from(context)]));
  const first = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  const last = cipher.final();
  return Buffer.concat([header, nonce, cipher.getAuthTag(), first, last]);
}

/** What `seal` was given, as text. Throws as `openBytes` does. */
export function open(material: KeyMaterial, sealed: Buffer, context: string): string {
  return openBytes(material, sealed, context).toString('utf8');
}

/** What `seal` was given. Throws when none of the keys sealed it, when it belongs elsewhere, or when it was changed. */
export function openBytes(material: KeyMaterial, sealed: Buffer, context: string): Buffer {
  const header = sealed.subarray(0, headerBytes);
  if (header[0] !== formVersion || sealed.length < leastBytes) {
    throw new Error('The sealed secret has a form that this Terrane does not know.');
  }
  const key = keysOf(material).find(({ id }) => id.equals(header.subarray(1)));
  if (!key) throw new Error('The secret was sealed under another key than the ones configured.');
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes);
  const tag = sealed.subarray(headerBytes + nonceBytes, leastBytes);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.concat([header, Buffer.from(context)]))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(leastBytes)), decipher.final()]);
}

/** A key by its name, and which member of the material it is made of; of several, `position` counts from 1. */
export interface KeyName {
  id: string;
  from: keyof KeyMaterial;
  position: number | null;
}

/** The id of the key that sealed it, in hexadecimal digits. */
export const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, headerBytes).toString('hex');

/** The same of a column, for statements. */
export const keyIdColumn = (sql: Sql, sealed: Fragment): Fragment =>
  sql`encode(substring(${sealed} from 2 for ${keyIdBytes}::integer), 'hex')`;

/** The keys of the material, without repetition. The first one seals. */
export function keyNames({ encryptionKey, oldEncryptionKeys = [], tokenPepper }: KeyMaterial): KeyName[] {
  const given: [string | undefined, keyof KeyMaterial, number | null][] = [
    [encryptionKey, 'encryptionKey', null],
    ...oldEncryptionKeys.map((key, index): [string, keyof KeyMaterial, number] => [
      key,
      'oldEncryptionKeys',
      index + 1,
    ]),
    [tokenPepper, 'tokenPepper', null],
  ];
  const names = new Map<string, KeyName>();
  for (const [key, from, position] of given) {
    const id = key && derive(key).id.toString('hex');
    if (id && !names.has(id)) names.set(id, { id, from, position });
  }
  return [...names.values()];
}

function sealingKey({ encryptionKey, tokenPepper }: KeyMaterial): Key {
  const material = encryptionKey || tokenPepper;
  if (!material) throw new Error('There is no key to seal secrets with.');
  return derive(material);
}

function keysOf({ encryptionKey, oldEncryptionKeys = [], tokenPepper }: KeyMaterial): Key[] {
  return [encryptionKey, ...oldEncryptionKeys, tokenPepper].filter(material => !!material).map(each => derive(each!));
}

const derived = new Map<string, Key>();

/** HKDF-SHA-256. The id names the key without telling it, so that several can be known at once. */
function derive(material: string): Key {
  const known = derived.get(material);
  if (known) return known;
  const bytes = Buffer.from(hkdfSync('sha256', material, '', 'terrane sealed secrets', 32));
  const key = { bytes, id: createHash('sha256').update('key id').update(bytes).digest().subarray(0, keyIdBytes) };
  derived.set(material, key);
  return key;
}
