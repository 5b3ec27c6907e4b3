/** The letter that brings somebody a one-time link. */

import type { Config } from '../../core/config.ts';
import { type Letter, sendMail } from '../mail/mail.ts';
import { type IssuedLink, linkAddress } from './password-link.ts';

export function mailLink(config: Config, publicUrl: string, to: string, link: IssuedLink): Promise<void> {
  return sendMail(config, { to, ...letter(publicUrl, link) });
}

function letter(publicUrl: string, { username, secret }: IssuedLink): Omit<Letter, 'to'> {
  const text = [
    `Hello ${username},`,
    '',
    `by this link you choose a password for your account at ${publicUrl}:`,
    '',
    linkAddress(publicUrl, username, secret),
    '',
    'It is good once, until this time tomorrow. If you did not ask for it, you can leave it alone: nothing changes.',
    '',
  ].join('\n');
  return { subject: 'Choose a password', text };
}
