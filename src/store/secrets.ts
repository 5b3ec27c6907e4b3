/** Secrets that must be read again, sealed in the database: a stolen copy of it opens none of them. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const formVersion = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + keyIdBytes;

/**
 * Seals `plain` with AES-256-GCM under a key derived from `keyMaterial`.
 * @param context where the secret belongs, such as `ssh-keys/sshkey-…`: it opens nowhere else
 * @returns version (1 byte), key id (8), nonce (12), tag (16) and the cipher text
 */
export function seal(keyMaterial: string, plain: string, context: string): Buffer {
  const { key, id } = derive(keyMaterial);
  const header = Buffer.concat([Buffer.of(formVersion), id]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.concat([header, Buffer.from(context)]));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed]);
}

/** The plain text of what `seal` made. Throws when it was sealed under another key or for another context, or changed. */
export function open(keyMaterial: string, sealed: Buffer, context: string): string {
  const { key, id } = derive(keyMaterial);
  const header = sealed.subarray(0, headerBytes);
  if (header[0] !== formVersion || sealed.length < headerBytes + nonceBytes + tagBytes) {
    throw new Error('The sealed secret has a form that this Terrane does not know.');
  }
  if (!header.subarray(1).equals(id)) throw new Error('The secret was sealed under another key than the present one.');
  const nonce = sealed.subarray(headerBytes, headerBytes + nonceBytes);
  const tag = sealed.subarray(headerBytes + nonceBytes, headerBytes + nonceBytes + tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(Buffer.concat([header, Buffer.from(context)]))
    .setAuthTag(tag);
  const text = sealed.subarray(headerBytes + nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

/** HKDF-SHA-256. The id names the key without telling it, so that another key can come later and both be known. */
function derive(keyMaterial: string): { key: Buffer; id: Buffer } {
  if (keyMaterial === '') throw new Error('There is no key to seal secrets with.');
  const key = Buffer.from(hkdfSync('sha256', keyMaterial, '', 'terrane sealed secrets', 32));
  const id = createHash('sha256').update('key id').update(key).digest().subarray(0, keyIdBytes);
  return { key, id };
}
