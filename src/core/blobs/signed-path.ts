/** Paths that stand for a permission: whoever holds one may use it with its method until it expires, without a token. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const lifetimeSeconds = 25 * 3600;
/** Expiries are whole multiples of this, so that a record read twice in a while shows the same address. */
const stepSeconds = 3600;

/** `path` with an expiry, 25 to 26 hours from now, and a signature over both and the method. */
export function signedPath(secret: string, method: string, path: string, now_ms = Date.now()): string {
  const expires = Math.ceil((now_ms / 1000 + lifetimeSeconds) / stepSeconds) * stepSeconds;
  return `${path}?expires=${expires}&signature=${signature(secret, method, path, String(expires))}`;
}

/** The same with both behind the path: for clients that put a query of their own in the place of any other. */
export function pathWithSignature(secret: string, method: string, path: string): string {
  const { searchParams } = new URL(signedPath(secret, method, path), 'http://any');
  return `${path}/${searchParams.get('expires')}/${searchParams.get('signature')}`;
}

/** Whether `signedPath` made this for the method, and it has not expired. */
export function isSigned(
  secret: string,
  method: string,
  path: string,
  query: { expires?: unknown; signature?: unknown },
  now_ms = Date.now(),
): boolean {
  const { expires, signature: given } = query;
  if (typeof expires !== 'string' || typeof given !== 'string' || !/^\d{1,12}$/.test(expires)) return false;
  const expected = Buffer.from(signature(secret, method, path, expires));
  const found = Buffer.from(given);
  return found.length === expected.length && timingSafeEqual(found, expected) && Number(expires) * 1000 > now_ms;
}

function signature(secret: string, method: string, path: string, expires: string): string {
  return createHmac('sha256', signingKey(secret)).update(`${method} ${path} ${expires}`).digest('base64url');
}

const keys = new Map<string, Buffer>();

/** A key of its own, so that nothing signed here means anything where the secret is used for something else. */
function signingKey(secret: string): Buffer {
  if (secret === '') throw new Error('There is no secret to sign addresses with.');
  const key = keys.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, '', 'terrane signed paths', 32));
  keys.set(secret, key);
  return key;
}
