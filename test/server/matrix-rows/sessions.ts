/** Rows of the access matrix for sessions, passwords and second factors (§1). */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { issueLink } from '../../../src/people/password-links/password-link.ts';
import { bodyOf, passwordOf, person, secondFactorOf, sessionOf } from '../../builders/records.ts';
import type { Caller, World } from '../../cast/world.ts';
import type { Asked, Row, Rows } from './fresh.ts';

/** The caller, by a session of its own where it comes with one: for rows that end what the caller shows. */
const afresh: Row = async ({ world }, caller) => ({
  params: {},
  token: caller.token?.startsWith('session ') ? await sessionOf(world.app, nameless(caller)) : caller.token,
});

const nameless = ({ userId }: Caller) => ({ id: userId, username: '' });

async function sessionIn({ app }: World, user: { id: string; username: string }): Promise<Asked> {
  await sessionOf(app, user);
  const [last] = await app.store.read`
    select sessions.id from sessions where sessions.user_id = ${user.id} order by sessions.created_at desc, sessions.id limit 1`;
  return { params: { session_id: last!['id'] } };
}

const byId: Record<string, Row> = {
  "of the caller's own account": ({ world }, caller) => sessionIn(world, nameless(caller)),
  'of another member': async ({ world, member }) => sessionIn(world, await member()),
};

const ofMember: Row = async ({ world, member }) => {
  const someone = await member();
  await sessionOf(world.app, someone);
  return { params: someone.params };
};

export const sessionRows: Rows = {
  'sign-in-options.show': () => ({ params: {} }),
  'sessions.create': async ({ world: { app } }) => {
    const someone = await person(app);
    const password = await passwordOf(app, someone);
    return { params: {}, body: bodyOf('sessions', { name: someone.username, password }) };
  },
  'sessions.show-own': () => ({ params: {} }),
  'sessions.end-own': afresh,
  'sessions.list-own': () => ({ params: {} }),
  'sessions.end-others': () => ({ params: {} }),
  'sessions.show': byId,
  'sessions.end': byId,
  'sessions.list-of-user': ofMember,
  'sessions.end-of-user': ofMember,
};

export const passwordRows: Rows = {
  'passwords.change': async ({ world: { app } }, { userId }) => {
    await app.store.read`delete from passwords where passwords.user_id = ${userId}`;
    return { params: {}, body: bodyOf('passwords', { password: 'four words of my own' }) };
  },
  'passwords.create': async ({ world: { app } }) => {
    const { secret } = await issueLink(app.store.read, app.config, await person(app));
    return { params: {}, body: bodyOf('passwords', { link: secret, password: 'four words of my own' }) };
  },
  // Here no mail is sent.
  'password-links.request': () => ({ params: {}, body: bodyOf('password-links', { name: 'nobody' }) }),
  'password-links.create': async ({ member }) => ({ params: (await member()).params }),
};

const begun =
  (isOn: boolean): Row =>
  async ({ world: { app } }, { userId }) => {
    const { code } = await secondFactorOf(app, { id: userId });
    if (!isOn)
      await app.store.read`update second_factors set confirmed_at = null where second_factors.user_id = ${userId}`;
    return { params: {}, body: bodyOf('second-factors', { code: code() }) };
  };

export const loginRows: Rows = {
  'login-authorizations.create': () => ({
    params: {},
    body: bodyOf('login-authorizations', {
      'client-id': 'terraform-cli',
      'response-type': 'code',
      'redirect-uri': 'http://localhost:10000/login',
      'code-challenge': 'x'.repeat(43),
      'code-challenge-method': 'S256',
      'is-allowed': true,
    }),
  }),
};

const newProvider = () => ({
  name: `company-${newId('idp').slice(4).toLowerCase()}`,
  kind: 'openid-connect',
  issuer: 'https://sso.example.com',
  'client-id': 'terrane',
});

const provider: Row = async ({ world: { app } }) => {
  const { kind, issuer, name } = newProvider();
  const id = newId('idp');
  // As many as there may be are soon made.
  await app.store.read`delete from sign_in_providers`;
  await app.store.read`
    insert into sign_in_providers ${row(app.store.read, {
      ...{ id, name, kind, issuer, label: name, client_id: 'terrane', scopes: 'openid', groups_claim: 'groups' },
      ...{ username_claim: 'name', trusts_addresses: false, creates_accounts: true },
    })}`;
  return { params: { sign_in_provider_id: id } };
};

export const signInProviderRows: Rows = {
  'sign-in-providers.list': () => ({ params: {} }),
  'sign-in-providers.create': () => ({ params: {}, body: bodyOf('sign-in-providers', newProvider()) }),
  'sign-in-providers.show': provider,
  'sign-in-providers.update': async (fresh, caller) => ({
    ...(await provider(fresh, caller)),
    body: bodyOf('sign-in-providers', { label: 'The company' }),
  }),
  'sign-in-providers.delete': provider,
  'users.unlink-single-sign-on': async ({ member }) => ({ params: (await member()).params }),
};

export const secondFactorRows: Rows = {
  'second-factors.show': () => ({ params: {} }),
  'second-factors.create': async ({ world: { app } }, { userId }) => {
    await app.store.read`delete from second_factors where second_factors.user_id = ${userId}`;
    await app.store.read`delete from passwords where passwords.user_id = ${userId}`;
    return { params: {}, body: bodyOf('second-factors', {}) };
  },
  'second-factors.confirm': begun(false),
  'second-factors.renew-codes': begun(true),
  'second-factors.turn-off': begun(true),
  'users.disable-second-factor': async ({ member }) => ({ params: (await member()).params }),
};
