/** §1 Ask for a one-time link by mail, where a password was lost. The answer is the same whether the account exists. */
import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import type { SystemActor } from '../../core/audit/change.ts';
import { ApiError } from '../../core/errors.ts';
import { documentBody } from '../../core/jsonapi/body.ts';
import { type Context, endpoint } from '../../core/jsonapi/endpoint.ts';
import { computed, nullable, text } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { site } from '../../organizations/site/site.ts';
import { countAttempt } from '../attempts/attempts.ts';
import { sendsMail } from '../mail/mail.ts';
import { mailLink } from './letter.ts';
import { issueLink, passwordLinks } from './password-link.ts';

const request = resource({
  type: passwordLinks.type,
  attributes: {
    name: computed(nullable(text), () => null, { write: Type.String({ minLength: 1, maxLength: 254 }) }),
  },
  relationships: {},
});

export const requestPasswordLink = endpoint({
  operation: 'password-links.request',
  section: '§1',
  summary: 'Ask for a one-time link by mail',
  method: 'POST',
  paths: ['/password-links'],
  subject: site,
  needs: policy['site:enter'],
  isOpen: true,
  holds: null,
  body: documentBody(request, { required: ['name'] }),
  answer: { status: 202 },
  errors: ['mail-off', 'sign-in-limited'],
  prepare: async ({ store, config, remoteAddress, body }) => {
    if (!sendsMail(config)) throw new ApiError('mail-off');
    const account = await accountNamed(store.read, body.attributes.name!);
    const counted = `link ${account?.id ?? body.attributes.name!.toLowerCase()}`;
    await countAttempt(store.read, config, counted, remoteAddress);
    return account;
  },
  handle: ({ received: account, afterwards, ...context }) => {
    // After the answer, which would otherwise come later where there is an account.
    if (account) afterwards(store => sendLink({ ...context, store }, account));
  },
});

interface Account {
  id: string;
  username: string;
  email: string;
}

const actor: SystemActor = { kind: 'system', userId: 'lost-password', username: 'Lost password', tokenId: null };

async function sendLink(
  {
    store,
    config,
    deployment,
    remoteAddress,
  }: Pick<Context<never>, 'store' | 'config' | 'deployment' | 'remoteAddress'>,
  account: Account,
): Promise<void> {
  const link = await store.transaction(async sql => {
    const issued = await issueLink(sql, config, account);
    const result = { type: passwordLinks.type, row: issued };
    const requestId = newId('job');
    await recordEvent(sql, {
      operation: 'password-links.create',
      actor,
      subject: { ...account },
      result,
      notes: {},
      requestId,
      remoteAddress,
    });
    return issued;
  });
  await mailLink(config, deployment.publicUrl, account.email, link);
}

async function accountNamed(sql: Sql, name: string): Promise<Account | undefined> {
  const [account] = await sql<Account[]>`
    select users.id, users.username, users.email from users
    where (users.username = ${name} or lower(users.email) = lower(${name}))
      and users.username is not null and not users.is_service_account`;
  return account;
}
