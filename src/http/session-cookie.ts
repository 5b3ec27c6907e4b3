/** Sessions as browsers carry them: the cookie, and the proof that a page of this site asks and no other. */
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import type { GivenSession } from '../core/jsonapi/endpoint.ts';
import type { Deployment } from '../core/jsonapi/fields.ts';

/** With TLS the name binds the cookie to this host: no neighbour under the same domain can set it. */
const nameOf = (deployment: Deployment) => (isSecure(deployment) ? '__Host-terrane-session' : 'terrane-session');

export const isSecure = ({ publicUrl }: Deployment) => publicUrl.startsWith('https:');

/** The secret of the session that a request shows. */
export function sessionSecret({ headers }: FastifyRequest, deployment: Deployment): string | undefined {
  return headers.cookie && parseCookie(headers.cookie)[nameOf(deployment)];
}

/** The header that hands a session over, or takes it away. */
export function sessionCookie(session: GivenSession | null, deployment: Deployment): string {
  return stringifySetCookie(nameOf(deployment), session?.secret ?? '', {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(deployment),
    expires: session?.endsAt ?? new Date(0),
  });
}

/**
 * Throws unless the request says that it comes from a page of this site, which browsers let no page lie about. Where they
 * leave `Sec-Fetch-Site` out, on plain http, one of the other two is there.
 */
export function requireSameOrigin({ headers, host, protocol }: FastifyRequest, { publicUrl }: Deployment): void {
  const site = headers['sec-fetch-site'];
  const page = headers.origin ?? headers.referer ?? '';
  const origin = URL.canParse(page) ? new URL(page).origin : null;
  const isOurs = origin !== null && (origin === new URL(publicUrl).origin || origin === `${protocol}://${host}`);
  if (site === undefined ? isOurs : site === 'same-origin') return;
  throw new ApiError('request-from-elsewhere', undefined, { header: site === undefined ? 'Origin' : 'Sec-Fetch-Site' });
}
