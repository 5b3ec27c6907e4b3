/** Signs somebody in by a provider of each kind, and tells what nobody else may ever read of it. */
import { expect } from 'vitest';
import { browserOf } from '../builders/browser.ts';
import { bodyOf } from '../builders/records.ts';
import { openIdProvider } from '../running/openid-provider.ts';
import { samlProvider } from '../running/saml-provider.ts';

/** At a server at `site`, whose administrator has `token`. Returns the secrets by what they are. */
export async function signInByProviders(site: string, token: string): Promise<Record<string, string>> {
  const add = async (attributes: object) => {
    const answer = await fetch(`${site}/api/v2/admin/sign-in-providers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
      body: JSON.stringify(bodyOf('sign-in-providers', attributes)),
    });
    expect(answer.status).toBe(201);
  };
  await add({ name: 'far', kind: 'openid-connect', issuer: 'https://127.0.0.1:9', 'client-id': 'terrane' });
  const { location } = await browserOf(null, site).follow(`${site}/sso/far`);
  expect(location).toMatch(/refused=provider-unreachable/);
  return { ...(await byOpenId(site, add)), ...(await bySaml(site, add)) };
}

type Add = (attributes: object) => Promise<void>;

async function byOpenId(site: string, add: Add): Promise<Record<string, string>> {
  const provider = await openIdProvider([`${site}/sso/company/callback`]);
  try {
    const { issuer, clientId, clientSecret } = provider;
    await add({
      name: 'company',
      kind: 'openid-connect',
      issuer,
      'client-id': clientId,
      'client-secret': clientSecret,
    });
    provider.people.set('ada', { email: 'ada@example.com', email_verified: true });
    provider.atBrowser = 'ada';
    const browser = browserOf(null, site);
    const asked = new URL((await browser.follow(`${site}/sso/company`, at => at.startsWith(issuer))).location);
    const kept = browser.cookie('terrane-sign-in')!;
    const { location } = await browser.follow(asked.href, at => at.includes('/callback'));
    const code = new URL(location).searchParams.get('code')!;
    // Once with a code that is none, so that refusals are written as well.
    const wrong = new URL(location);
    wrong.searchParams.set('code', `${code.slice(0, -4)}none`);
    expect((await browser.follow(wrong.href)).location).toMatch(/refused=provider-unusable/);
    expect((await browser.follow(location)).location).toBe('/app/');
    return {
      'the secret of a provider': clientSecret,
      'what the browser keeps meanwhile': kept,
      'the state': asked.searchParams.get('state')!,
      'the nonce': asked.searchParams.get('nonce')!,
      'the code of the provider': code,
      'the session by a provider': browser.cookie('terrane-session')!,
    };
  } finally {
    await provider.close();
  }
}

async function bySaml(site: string, add: Add): Promise<Record<string, string>> {
  const place = `${site}/sso/directory`;
  const provider = await samlProvider({ audience: `${place}/metadata`, recipient: `${place}/assertions` });
  try {
    const { issuer, signInUrl, keys } = provider;
    await add({ name: 'directory', kind: 'saml', issuer, 'sign-in-url': signInUrl, certificates: keys.certificate });
    const browser = browserOf(null, site);
    const { location } = await browser.follow(place, at => at.startsWith(signInUrl));
    const answer = provider.answerTo(location, { subject: 'grace@example.com' });
    const post = () =>
      fetch(`${place}/assertions`, {
        method: 'POST',
        body: new URLSearchParams({ SAMLResponse: answer }),
        redirect: 'manual',
      });
    const arriving = (await post()).headers.get('location')!;
    expect((await post()).headers.get('location')).toMatch(/refused=provider-unusable/);
    expect((await browser.follow(site + arriving)).location).toBe('/app/');
    return {
      'the assertion': answer.slice(0, 200),
      'the ticket': new URL(arriving, site).searchParams.get('ticket')!,
      'the session by an assertion': browser.cookie('terrane-session')!,
    };
  } finally {
    await provider.close();
  }
}
