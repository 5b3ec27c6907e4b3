/**
 * §1 Allow the command line to act as oneself, or refuse it (`terraform login`): by a session, since only a person at a
 * browser can mean it. The answer says where to send the browser.
 */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, computed, nullable, type Row, text, word } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';
import { currentSession } from '../sessions/session.ts';
import { tokenHash } from '../tokens/secret.ts';
import { challengeSchema, isLoopbackAddress, loginClient } from './client.ts';

/** The command line fetches its token within the second. */
const lifetime_ms = 60_000;
const never = () => null;
const short = Type.String({ maxLength: 1024 });

interface Allowed extends Row {
  is_allowed: boolean;
  secret: string;
}

export const loginAuthorizations = resource({
  type: 'login-authorizations',
  attributes: {
    'client-id': computed(nullable(text), never, { write: word(loginClient.client) }),
    'response-type': computed(nullable(text), never, { write: word('code') }),
    'redirect-uri': computed(nullable(text), never, { write: short }),
    state: computed(nullable(text), never, { write: short }),
    'code-challenge': computed(nullable(text), never, { write: challengeSchema }),
    'code-challenge-method': computed(nullable(text), never, { write: word('S256') }),
    'is-allowed': computed(boolean, (row: Allowed) => row.is_allowed, { write: true }),
    /** The address of the command line, with a code that it trades for a token, or with the refusal. */
    'redirect-to': computed(text, (row: Allowed) => row.secret),
  },
  relationships: {},
});

const required = [
  'client-id',
  'response-type',
  'redirect-uri',
  'code-challenge',
  'code-challenge-method',
  'is-allowed',
];

export const authorizeLogin = endpoint({
  operation: 'login-authorizations.create',
  section: '§1',
  summary: 'Allow the command line a token of the own, or refuse it',
  method: 'POST',
  paths: ['/account/login-authorizations'],
  subject: currentSession,
  needs: policy['session:end'],
  body: documentBody(loginAuthorizations, { required }),
  answer: { status: 201, document: loginAuthorizations },
  check: ({ body: { attributes }, faults }) => void faults.push(...addressFaults(attributes['redirect-uri'])),
  handle: async ({ sql, config, subject, body: { attributes } }) => {
    const id = newId('lcode');
    const target = new URL(attributes['redirect-uri']!);
    if (attributes.state !== undefined) target.searchParams.set('state', attributes.state);
    const isAllowed = attributes['is-allowed']!;
    if (!isAllowed) {
      target.searchParams.set('error', 'access_denied');
      return { id, is_allowed: false, secret: target.href };
    }
    const code = randomBase62(43);
    await sql`
      insert into login_codes ${row(sql, {
        id,
        session_id: subject.id,
        user_id: subject.user_id,
        hash: codeHash(config.tokenPepper, code),
        challenge: attributes['code-challenge'],
        redirect_uri: attributes['redirect-uri'],
        expires_at: new Date(Date.now() + lifetime_ms).toISOString(),
      })}`;
    target.searchParams.set('code', code);
    return { id, is_allowed: true, secret: target.href };
  },
});

function addressFaults(address: string | undefined): Fault[] {
  if (address === undefined || isLoopbackAddress(address)) return [];
  const [first, last] = loginClient.ports;
  const reason = `Redirect uri must be an http address of this machine (localhost, 127.0.0.1 or [::1]), port ${first} to ${last}`;
  return [attributeFault('redirect-uri', reason)];
}

export function codeHash(pepper = '', code: string): Buffer {
  return tokenHash(pepper, `login code ${code}`);
}
