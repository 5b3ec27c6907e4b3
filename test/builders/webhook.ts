/** Deliveries of plain git, as a hook of a repository would send them. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Answer, TestApp } from '../app.ts';
import type { TestOrganization } from './records.ts';

/** A connection's webhook, with a secret of its own. */
export interface Webhook {
  clientId: string;
  secret: string;
  send: (body: object | string, headers?: Record<string, string>) => Promise<Answer>;
}

export async function webhook(app: TestApp, of: TestOrganization, clientId: string): Promise<Webhook> {
  const { data } = await app.post(`oauth-clients/${clientId}/actions/rotate-webhook-secret`, of.owner.token);
  const { secret } = data.attributes;
  return { clientId, secret, send: (body, headers) => sendSigned(app, clientId, secret, body, headers) };
}

export async function sendSigned(
  app: TestApp,
  clientId: string,
  secret: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' ? body : JSON.stringify(body);
  const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`;
  return app.call('POST', `/webhooks/vcs/${clientId}`, {
    raw,
    headers: { 'content-type': 'application/json', 'terrane-signature': signature, ...headers },
  });
}

/** A push to `main`; each is of a commit of its own. */
export function pushOf(repository: string, given: object = {}): Record<string, unknown> {
  commits += 1;
  return {
    event: 'push',
    repository,
    branch: 'main',
    default_branch: 'main',
    commit: { sha: commits.toString(16).padStart(40, 'a'), message: `Change ${commits}` },
    ...given,
  };
}

let commits = 0;

/** The hook of docs/version-control.md as it stands there, but for these variables. */
export function hookOfPage(given: Record<string, string>): string {
  const page = readFileSync(new URL('../../docs/version-control.md', import.meta.url), 'utf8');
  const script = /```sh\n(#!\/bin\/sh\n.*?)```/s.exec(page)![1]!;
  return Object.entries(given).reduce((text, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm');
    if (!line.test(text)) throw new Error(`The page has no ${name}.`);
    return text.replace(line, `${name}=${value}`);
  }, script);
}
