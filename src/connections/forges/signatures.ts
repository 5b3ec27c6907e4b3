/** The ways in which forges prove that a delivery is theirs. All compare digests, so that the time tells nothing. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Delivery } from './forge.ts';

/** A header with the HMAC-SHA256 of the body in hexadecimal, after `prefix`. */
export function isHmacSigned({ headers, body }: Delivery, header: string, prefix: string, secret: string): boolean {
  return isSame(headers[header], `${prefix}${createHmac('sha256', secret).update(body).digest('hex')}`);
}

/** A header that holds the secret itself, or what stands for it. */
export function isSame(sent: string | undefined, expected: string): boolean {
  return timingSafeEqual(digest(sent ?? ''), digest(expected)) && sent !== undefined;
}

const digest = (text: string) => createHash('sha256').update(text).digest();
