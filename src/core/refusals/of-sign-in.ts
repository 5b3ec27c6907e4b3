/** What people meet on their way in: passwords, second factors, sessions. */

import type { Refusal } from './refusal.ts';

export const signInRefusals = {
  'sign-in-refused': {
    status: 401,
    title: 'sign-in refused',
    detail: 'The name or the password is wrong, or the account has no password yet.',
  },
  'second-factor-needed': {
    status: 401,
    title: 'second factor needed',
    detail: 'The account has a second factor. Send a code of the authenticator app, or a recovery code, along.',
  },
  'second-factor-refused': {
    status: 401,
    title: 'second factor refused',
    detail: 'The code is wrong, or was used already. Wait for the next one.',
  },
  'second-factor-required': {
    status: 403,
    title: 'forbidden',
    detail: 'The organization takes members with a second factor only. Turn yours on, and it opens at once.',
  },
  'request-from-elsewhere': {
    status: 403,
    title: 'forbidden',
    detail:
      'A session is taken only from pages of this site: Sec-Fetch-Site, Origin or Referer says otherwise, or nothing.',
  },
  'second-factor-on': {
    status: 409,
    title: 'conflict',
    detail: 'The second factor is on. Turn it off first.',
  },
  'second-factor-off': {
    status: 409,
    title: 'conflict',
    detail: 'No second factor has been begun.',
  },
  'mail-off': {
    status: 409,
    title: 'conflict',
    detail: 'This site sends no mail. Ask its administrator for a link.',
  },
  'password-link-void': {
    status: 410,
    title: 'gone',
    detail: 'The link was used already, or is older than a day. Ask for another one.',
  },
  'sign-in-limited': {
    status: 429,
    title: 'Too many requests',
    detail: 'Too many attempts to sign in. Try again in {retryAfter_s} seconds.',
  },
} as const satisfies Record<string, Refusal>;
