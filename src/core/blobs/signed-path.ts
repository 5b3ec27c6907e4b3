/** Paths that stand for whom they were given to: until one expires, its bearer needs no token for its method. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const lifetimeSeconds = 25 * 3600;
/** Expiries are whole multiples of this, so that a record read twice in a while shows the same address. */
const stepSeconds = 3600;

/** What is behind a path: whom it was given to, when it expires (25 to 26 hours from now), and a signature over all of it. */
function signed(secret: string, method: string, path: string, to: string, now_ms: number) {
  const expires = String(Math.ceil((now_ms / 1000 + lifetimeSeconds) / stepSeconds) * stepSeconds);
  return { to, expires, signature: signature(secret, method, path, to, expires) };
}

export function signedPath(secret: string, method: string, path: string, to: string, now_ms = Date.now()): string {
  return `${path}?${new URLSearchParams(signed(secret, method, path, to, now_ms))}`;
}

/** The same without a query: for clients that put one of their own in the place of any other. */
export function pathWithSignature(
  secret: string,
  method: string,
  path: string,
  to: string,
  now_ms = Date.now(),
): string {
  return [path, ...Object.values(signed(secret, method, path, to, now_ms))].join('/');
}

/** Whom a signed path was given to; null unless it was made for the method, and has not expired. */
export function givenTo(
  secret: string,
  method: string,
  path: string,
  { to, expires, signature: given }: { to?: unknown; expires?: unknown; signature?: unknown },
  now_ms = Date.now(),
): string | null {
  if (typeof to !== 'string' || typeof expires !== 'string' || typeof given !== 'string') return null;
  if (!/^\d{1,12}$/.test(expires)) return null;
  const expected = Buffer.from(signature(secret, method, path, to, expires));
  const found = Buffer.from(given);
  const isSigned = found.length === expected.length && timingSafeEqual(found, expected);
  return isSigned && Number(expires) * 1000 > now_ms ? to : null;
}

function signature(secret: string, method: string, path: string, to: string, expires: string): string {
  return createHmac('sha256', signingKey(secret)).update(`${method} ${path} ${to} ${expires}`).digest('base64url');
}

const keys = new Map<string, Buffer>();

/** A key of its own, so that nothing signed here means anything where the secret is used for something else. */
function signingKey(secret: string): Buffer {
  if (secret === '') throw new Error('There is no secret to sign addresses with.');
  const key = keys.get(secret) ?? Buffer.from(hkdfSync('sha256', secret, '', 'terrane signed paths', 32));
  keys.set(secret, key);
  return key;
}
