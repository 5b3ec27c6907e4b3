/** What settings that are addresses may say. Each throws the problem, without quoting secrets. */
import { isIP } from 'node:net';

export function smtpUrl(text: string): string {
  if (/^smtps?:\/\/\S+$/.test(text) && URL.canParse(text)) return text;
  throw new Error('must be an address such as smtps://user:password@mail.example.com:465.');
}

export function mailAddress(text: string): string {
  if (/^([^<>@\r\n]+ )?<?[^\s<>@]+@[^\s<>@]+>?$/.test(text)) return text;
  throw new Error(`must be an address such as Terrane <terrane@example.com>, not ${JSON.stringify(text)}.`);
}

export function networks(given: string): readonly string[] {
  return given.split(',').map(part => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    const isMask = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (most > 0 && isMask && rest.length === 0) return part.trim();
    throw new Error(
      `must be addresses or networks, such as 10.0.0.0/8, separated by commas, not ${JSON.stringify(part)}.`,
    );
  });
}

/** As `networks`, or the word that stands for every one of them. */
export const networksOrAll = (given: string): readonly string[] => (given === 'all' ? [given] : networks(given));
