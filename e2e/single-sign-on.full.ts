// Single sign-on and `terraform login` in a real Chromium: from the page for signing in to the provider and back.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, person } from '../test/builders/records.ts';
import { type OpenIdProvider, openIdProvider } from '../test/running/openid-provider.ts';
import { type Pysaml, pysaml, pysamlPython } from '../test/running/pysaml.ts';
import { type SamlProvider, samlProvider } from '../test/running/saml-provider.ts';
import { chromiumPath, openSite, type Site, signIn } from './web/browser.ts';

if (!chromiumPath) console.log('e2e: no Chromium on this machine: skipped');

describe.skipIf(!chromiumPath)('in a browser', () => {
  let site: Site;
  let openId: OpenIdProvider;
  let saml: SamlProvider;
  let library: Pysaml | undefined;

  beforeAll(async () => {
    site = await openSite({ TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    const administrator = await person(site.app, { isAdmin: true });
    const add = async (attributes: object) => {
      const body = bodyOf('sign-in-providers', attributes);
      expect((await site.app.post('admin/sign-in-providers', administrator.token, body)).status).toBe(201);
    };
    openId = await openIdProvider([`${site.address}/sso/company/callback`]);
    openId.people.set('ada', { email: site.owner.email, email_verified: true });
    const { issuer, clientId, clientSecret } = openId;
    await add({
      ...{ name: 'company', label: 'Example Inc.', kind: 'openid-connect', issuer },
      ...{ 'client-id': clientId, 'client-secret': clientSecret },
    });
    const place = `${site.address}/sso/directory`;
    // To a browser it is another site, as it is for people: no cookie comes along with what its page posts.
    saml = await samlProvider({ audience: `${place}/metadata`, recipient: `${place}/assertions` }, 'localhost');
    saml.people.set('grace', { attributes: { email: ['grace@example.com'], Username: ['grace'] } });
    await add({
      ...{ name: 'directory', label: 'The directory', kind: 'saml', issuer: saml.issuer },
      ...{ 'sign-in-url': saml.signInUrl, certificates: saml.keys.certificate },
    });
    if (!pysamlPython) return;
    library = await pysaml('localhost');
    const { signInUrl, keys } = library;
    await add({
      ...{ name: 'library', label: 'The library', kind: 'saml', issuer: library.issuer },
      ...{ 'sign-in-url': signInUrl, certificates: keys.certificate },
    });
    library.learn(await (await fetch(`${site.address}/sso/library/metadata`)).text());
    library.tell('hopper', { attributes: { mail: [site.owner.email], MemberOf: ['admirals'] } });
  });
  afterAll(async () => {
    await site?.close();
    await openId?.close();
    await saml?.close();
    await library?.close();
  });

  test('§1 by OpenID Connect: the button, the provider’s page, and the address that was asked for', async () => {
    const { page, close } = await site.open();
    await page.goto('/app/globex/teams');
    await page.getByRole('link', { name: 'Continue with Example Inc.' }).click();
    await page.getByLabel('Name').fill('ada');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${site.address}/app/globex/teams`);
    await page.getByRole('heading', { name: 'Teams' }).waitFor();
    await close();
  });

  test('§1 by SAML: what the provider’s page posts, from another site, ends in a session here', async () => {
    const { page, close } = await site.open();
    await page.goto('/app/');
    await page.getByRole('link', { name: 'Continue with The directory' }).click();
    await page.waitForURL(/^http:\/\/localhost:/);
    await page.getByRole('button', { name: 'Continue as grace' }).click();
    await page.getByText('You belong to no organization yet').waitFor();
    const cookies = await page.context().cookies(site.address);
    expect(cookies.map(({ name }) => name)).toEqual(['terrane-session']);
    await close();
  });

  test.skipIf(!pysamlPython)(
    '§1 by a real SAML provider: its page posts by itself, and the address that was asked for opens',
    async () => {
      const { page, close } = await site.open();
      await page.goto('/app/globex/teams');
      await page.getByRole('link', { name: 'Continue with The library' }).click();
      await page.waitForURL(/^http:\/\/localhost:/);
      await page.getByLabel('Name').fill('hopper');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(`${site.address}/app/globex/teams`);
      await page.getByRole('heading', { name: 'Teams' }).waitFor();
      await close();
    },
  );

  test('§1 a provider that is down: the page says so, and another way is still there', async () => {
    const { page, complaints, close } = await site.open();
    await site.app.store.read`
      update sign_in_providers set issuer = 'http://127.0.0.1:1' where sign_in_providers.name = 'company'`;
    await page.goto('/app/~/sign-in');
    await page.getByRole('link', { name: 'Continue with Example Inc.' }).click();
    await page.getByRole('alert').filter({ hasText: 'The provider does not answer' }).waitFor();
    await signIn(page, site.owner, page.url());
    expect(complaints).toEqual([]);
    await close();
  });

  test('§1 `terraform login`: whoever is signed in is asked as whom it acts; the answer reaches the command line', async () => {
    const arrived: URLSearchParams[] = [];
    const terminal = createServer((request, response) => {
      arrived.push(new URL(request.url!, 'http://localhost').searchParams);
      response.end('Close this page.');
    });
    const port = await listeningOf(terminal);
    const { page, complaints, close } = await site.open();
    const asked = new URLSearchParams({
      ...{ client_id: 'terraform-cli', response_type: 'code', state: 'of the command line' },
      ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
      redirect_uri: `http://localhost:${port}/login`,
    });
    await page.goto(`/oauth/authorize?${asked}`);
    await page.getByLabel('Username or email').fill(site.owner.username);
    await page.getByLabel('Password', { exact: true }).fill(site.owner.password);
    await page.keyboard.press('Enter');
    await page.getByText(`It acts as ${site.owner.username}`).waitFor();
    expect(complaints).toEqual([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Close this page.').waitFor();
    await page.goto(`/oauth/authorize?${asked}`);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('Close this page.').waitFor();
    const [allowed, refused] = arrived.filter(query => query.has('state'));
    expect([allowed!.get('state'), allowed!.get('code')]).toEqual([
      'of the command line',
      expect.stringMatching(/^\w{43}$/),
    ]);
    expect([refused!.get('error'), refused!.get('code')]).toEqual(['access_denied', null]);
    await close();
    terminal.closeAllConnections();
    terminal.close();
  });
});

/** On the first port that a command line would take and nobody has. */
async function listeningOf(server: ReturnType<typeof createServer>): Promise<number> {
  for (let port = 10_000; port <= 10_010; port += 1) {
    const isOurs = await new Promise<boolean>(done => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (isOurs) return (server.address() as AddressInfo).port;
  }
  throw new Error('No port is free.');
}
