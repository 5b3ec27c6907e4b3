/** What is one's own: a second factor from beginning to end, and a server that goes away while somebody works. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticator } from '../../src/people/second-factor/codes.ts';
import { sessionOf } from '../../test/builders/records.ts';
import { chromiumPath, openSite, type Site, signIn } from './browser.ts';

describe.skipIf(!chromiumPath)('an account', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site?.close());

  test('web: a second factor is set up by its secret, asked for at the next sign-in, and a recovery code opens once', async () => {
    const { page, complaints, close } = await site.open();
    const { username, password } = site.owner;
    await signIn(page, site.owner, '/app/~/settings/second-factor');
    await page.getByRole('button', { name: 'Turn on…' }).click();
    await page.getByLabel('Current password').fill('not this one');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('Current password is wrong').first().waitFor();
    await page.getByLabel('Current password').fill(password);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('img', { name: /camera/ }).waitFor();
    const secret = (await page.getByRole('region', { name: 'Secret for the app' }).textContent())!.trim();
    await page.getByLabel(/^Code of your/).fill(authenticator(secret).generate());
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    const codes = await page.getByRole('region', { name: 'Recovery codes' }).textContent();
    const [code] = codes!.trim().split('\n');
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('It has been on since').waitFor();
    expect(complaints).toEqual([]);
    await close();

    const next = await site.open();
    const sign = async (given: string) => {
      await next.page.goto('/app/~/sign-in?to=/~/settings/second-factor');
      await next.page.getByLabel('Username or email').fill(username);
      await next.page.getByLabel('Password', { exact: true }).fill(password);
      await next.page.keyboard.press('Enter');
      await next.page.getByLabel(/^Code of your/).fill(given);
      await next.page.keyboard.press('Enter');
    };
    await sign(code!);
    await next.page.getByText('It has been on since').waitFor();
    await next.page.getByRole('button', { name: 'Turn off…' }).click();
    await next.page.getByLabel(/^Code of your/).fill(code!);
    await next.page.getByRole('button', { name: 'Turn off', exact: true }).click();
    // It has been used.
    await next.page.getByRole('alertdialog').getByRole('alert').waitFor();
    await next.close();
  });

  test('web: a server that does not answer is named as that, what was typed stays, and the screen comes back by itself', async () => {
    const { page, close } = await site.open({ storageState: await signedIn(site) });
    await page.goto('/app/globex/workspaces/~new');
    await page.getByLabel('Name').fill('typed-before');
    await page.route('**/api/v2/**', route => route.abort());
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByText('It is not known whether this happened').waitFor();
    await page.getByText('The server does not answer. This page tries again by itself.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('typed-before');
    await page.unroute('**/api/v2/**');
    await page.getByText('The server does not answer. This page tries again by itself.').waitFor({ state: 'detached' });
    await close();
  });
});

/** A session of its own, made by the API: the test before has left a second factor. */
async function signedIn({ app, address, owner }: Site) {
  const value = (await sessionOf(app, owner)).replace('session ', '');
  const cookie = { name: 'terrane-session', value, domain: new URL(address).hostname, path: '/', expires: -1 };
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Lax' as const }],
    origins: [{ origin: address, localStorage: [{ name: 'terrane.signed-in', value: '1' }] }],
  };
}
