/** One message to one receiver, and what came back. Nothing here throws: that nobody answers is an answer, too. */
import type { Config } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';
import { fetchOutside } from '../../core/outbound.ts';
import { sendMail, sendsMail } from '../../people/mail/mail.ts';
import { bodyFor, letterOf, signature, type Told } from './messages.ts';
import type { DeliveryResponse } from './notification-configuration.ts';
import type { DestinationType } from './triggers.ts';

/** An address that takes requests. */
export interface Hook {
  type: Exclude<DestinationType, 'email'>;
  url: string;
  token: string | null;
}

export async function post(config: Config, { type, url, token }: Hook, told: Told): Promise<DeliveryResponse> {
  const sent_at = new Date().toISOString();
  const body = bodyFor(type, told);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Terrane',
    ...(token && { 'x-tfe-notification-signature': signature(token, body) }),
  };
  try {
    const answer = await fetchOutside(config, url, { method: 'POST', headers, body });
    return { url, sent_at, ...(await shown(answer)) };
  } catch (error) {
    return { url, sent_at, code: '', body: (error as Error).message, headers: {}, successful: false };
  }
}

async function shown(answer: Response): Promise<Pick<DeliveryResponse, 'code' | 'body' | 'headers' | 'successful'>> {
  const most = limits.notificationAnswer_characters.value;
  const text = await answer.text().catch((error: Error) => error.message);
  const headers = [...answer.headers].slice(0, limits.notificationAnswerHeaders_items.value);
  return {
    code: String(answer.status),
    body: text.slice(0, most).toWellFormed(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, [value.slice(0, most)]])),
    successful: answer.ok,
  };
}

/** @param to an address of mail */
export async function write(config: Config, to: string, told: Told): Promise<DeliveryResponse> {
  const common = { url: `mailto:${to}`, sent_at: new Date().toISOString(), code: '', headers: {} };
  if (!sendsMail(config)) return { ...common, body: 'This site sends no mail.', successful: false };
  try {
    await sendMail(config, letterOf(told, to));
    return { ...common, body: 'The mail server has taken the letter.', successful: true };
  } catch (error) {
    const reason = (error as Error).message.slice(0, limits.notificationAnswer_characters.value).toWellFormed();
    return { ...common, body: reason, successful: false };
  }
}
