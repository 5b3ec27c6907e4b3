/** Mail to people, where the operator named a server for it (`TERRANE_SMTP_URL`): plain text, a few at a time. */
import type { Transporter } from 'nodemailer';
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

export const sendsMail = ({ smtpUrl }: Config): boolean => smtpUrl !== undefined;

interface Post {
  transporter: Promise<Transporter>;
  underWay: number;
}

const posts = new WeakMap<Config, Post>();

/** Resolves when the mail server has taken the letter. Throws where it does not, or where too many wait for it. */
export async function sendMail(config: Config, { to, subject, text }: Letter): Promise<void> {
  const post = posts.get(config) ?? open(config);
  posts.set(config, post);
  if (post.underWay >= limits.waitingMails_items.value) throw new Error('Too many mails wait for the mail server.');
  post.underWay += 1;
  try {
    const transporter = await post.transporter;
    await transporter.sendMail({ from: senderOf(config), to: { name: '', address: to }, subject, text });
  } finally {
    post.underWay -= 1;
    // An idle connection would keep the mail server waiting for nothing.
    if (post.underWay === 0) {
      posts.delete(config);
      post.transporter.then(
        transporter => transporter.close(),
        () => undefined,
      );
    }
  }
}

const open = (config: Config): Post => ({ transporter: transporterOf(config), underWay: 0 });

/** Loaded where there is a mail server, since it takes 15 MB. */
async function transporterOf({ smtpUrl }: Config): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const timeout = limits.mailTime_ms.value;
  const bounds = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout, dnsTimeout: timeout };
  const safety = { disableFileAccess: true, disableUrlAccess: true };
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    ...bounds,
    ...safety,
  } as object) as Transporter;
}

function senderOf({ mailFrom, publicUrl }: Config): string {
  return mailFrom ?? `Terrane <terrane@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}>`;
}
