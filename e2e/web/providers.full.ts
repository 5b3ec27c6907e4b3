/** Providers of single sign-on: set up in the browser, and used where a session has ended over what somebody types. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenIdProvider, openIdProvider } from '../../test/running/openid-provider.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { pick, press, write } from './hands.ts';

describe.skipIf(!chromiumPath)('single sign-on', () => {
  let site: Site;
  let visit: Visit;
  let openId: OpenIdProvider;
  beforeAll(async () => {
    site = await openSite({ TERRANE_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    await site.app.store.read`update users set is_admin = true where users.id = ${site.owner.id}`;
    openId = await openIdProvider([`${site.address}/sso/company/callback`]);
    openId.people.set('ada', { email: site.owner.email, email_verified: true });
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/~/admin/sign-in');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
    await openId?.close();
  });

  test('web: a provider is set up, says what to enter there, and its secret is sent once and never shown', async () => {
    const { page, complaints } = visit;
    await page.getByText('No provider yet').waitFor();
    await press(page, /^New provider…$/);
    await write(page, /^Words of its button/, 'Example Inc.');
    await write(page, /^Name in addresses/, 'Company');
    await write(page, /^Issuer/, openId.issuer);
    await write(page, /^Client ID/, openId.clientId);
    await write(page, /^Client secret/, openId.clientSecret);
    await press(page, /^Create provider$/);
    await page.getByText('must be small letters and numbers').first().waitFor();
    expect(await page.getByLabel('Name in addresses').getAttribute('aria-invalid')).toBe('true');
    await write(page, /^Name in addresses/, 'company');
    await press(page, /^Create provider$/);
    await press(page, /^Example Inc\.$/);
    await page.getByText('/sso/company/callback').waitFor();
    await page.getByText('A client secret is kept, sealed.').waitFor();
    await page.getByRole('button', { name: 'Copy: Redirect address' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/\/sso\/company\/callback$/);
    await press(page, /^Actions for Example/);
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');
    await write(page, /^Words of its button/, 'Example');
    await press(page, /^Save changes$/);
    await page.getByRole('heading', { name: 'What to enter at Example' }).waitFor();
    await page.getByText('A client secret is kept, sealed.').waitFor();
    expect(await page.content()).not.toContain(openId.clientSecret);
    expect(complaints).toEqual([]);
  });

  test('web: of SAML it says the addresses that are entered there', async () => {
    const { page } = visit;
    await press(page, /^New provider…$/);
    await pick(page, /^Kind/, 'SAML 2.0');
    await write(page, /^Words of its button/, 'The directory');
    await write(page, /^Name in addresses/, 'directory');
    await write(page, /^Entity ID of the provider/, 'urn:directory');
    await write(page, /^Sign-in address/, 'https://directory.example/sso');
    await write(page, /^Certificates/, 'none of them');
    expect(await page.getByLabel('Trust its email addresses').isChecked()).toBe(true);
    await press(page, /^Create provider$/);
    await page
      .locator('.mantine-Textarea-root', { hasText: 'Certificates' })
      .getByText(/Certificates must/)
      .waitFor();
    await page.keyboard.press('Escape');
  });

  test('web: where a session has ended, a provider is gone to beside the screen, which stays as it was typed', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner, '/app/globex/workspaces/~new');
    await page.getByLabel('Name').fill('typed-before');
    await site.app.store.read`delete from sessions where sessions.user_id = ${site.owner.id}`;
    await press(page, /^Create workspace$/);
    await page.getByText('Your session has ended').waitFor();
    const [beside] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Continue with Example' }).click(),
    ]);
    await beside.getByLabel('Name').fill('ada');
    const isClosed = beside.waitForEvent('close');
    await beside.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Your session has ended').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name').inputValue()).toBe('typed-before');
    expect(page.url()).toBe(`${site.address}/app/globex/workspaces/~new`);
    await press(page, /^Create workspace$/);
    await page.waitForURL(/\/workspaces\/typed-before$/);
    await isClosed;
    expect(complaints).toEqual([]);
    await close();
  });
});
