/** The short way through the interface: sign in, find, lock, unlock, create, delete. The full run is `npm run e2e:web`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { person } from '../../test/builders/records.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';

if (!chromiumPath)
  console.log('e2e/web: no Chromium here, so the interface is not tried. Install chromium, or set CHROMIUM.');

describe.skipIf(!chromiumPath)('in a browser', () => {
  let site: Site;
  let visit: Visit;

  beforeAll(async () => {
    site = await openSite();
    for (const name of ['ledger-api', 'ledger-database', 'gateway-dns'])
      await workspace(site.app, site.organization, { name });
    visit = await site.open();
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('web: sign in, find, lock, unlock, create and delete a workspace', async () => {
    const { page, complaints } = visit;
    await signIn(page, site.owner, '/app/globex/workspaces');
    await page.getByRole('link', { name: 'gateway-dns' }).waitFor();

    await page.getByRole('textbox', { name: 'Filter workspaces' }).fill('ledger');
    await page.getByRole('link', { name: 'gateway-dns' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=ledger');
    await page.getByRole('link', { name: 'ledger-database' }).click();
    await page.getByRole('heading', { name: 'ledger-database' }).waitFor();

    await page.getByRole('button', { name: 'Lock…' }).click();
    await page.getByLabel(/^Reason/).fill('Moving the primary');
    await page.getByRole('button', { name: 'Lock workspace' }).click();
    await page.getByText('Locked by you').waitFor();
    const show = () => site.app.get('organizations/globex/workspaces/ledger-database', site.owner.token);
    await expect.poll(async () => (await show()).data.attributes.locked).toBe(true);
    expect((await show()).data.attributes['locked-reason']).toBe('Moving the primary');
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await page.getByText('Locked by you').waitFor({ state: 'detached' });
    await expect.poll(async () => (await show()).data.attributes.locked).toBe(false);

    await page.goto('/app/globex/workspaces/~new');
    await page.getByLabel('Name').fill('checkout-cache');
    await page.getByLabel(/^Tags/).fill('env:test');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { name: 'checkout-cache' }).waitFor();
    await page.getByText('test', { exact: true }).waitFor();

    await page.goto('/app/globex/workspaces/checkout-cache/settings/deletion');
    await page.getByRole('button', { name: 'Delete workspace…' }).click();
    await page.getByRole('button', { name: 'Delete workspace', exact: true }).click();
    await page.waitForURL('**/app/globex/workspaces');
    const gone = await site.app.get('organizations/globex/workspaces/checkout-cache', site.owner.token);
    expect(gone.status).toBe(404);
    expect(complaints).toEqual([]);
  });

  test('web: a one-time link → a password of one’s own → signed in', async () => {
    const someone = await person(site.app);
    const administrator = await person(site.app, { isAdmin: true });
    const made = await site.app.post(`admin/users/${someone.id}/password-links`, administrator.token);
    const { pathname, hash } = new URL(made.data.attributes.url);
    const { page, complaints, close } = await site.open();
    await page.goto(`${pathname}${hash}`);
    const password = page.getByLabel(`Password for ${someone.username}`);
    await password.fill('too short');
    await page.keyboard.press('Enter');
    await page.getByText('Password must have 12 to 256 characters').waitFor();
    await password.fill('quiet ledger of northern terraces');
    await page.keyboard.press('Enter');
    await page.getByText('You belong to no organization yet').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
