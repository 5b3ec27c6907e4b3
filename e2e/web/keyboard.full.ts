/** By keyboard alone: sign in, find, lock, unlock, force unlock, confirm a run, create, edit permissions, revoke, delete. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openSite, type Site, type Visit } from './browser.ts';
import { type Seeded, seedSite } from './seeded.ts';

/** Presses Tab until what has the focus bears this name; refuses to go round for ever. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let press = 0; press < 200; press += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(`(() => {
      const at = document.activeElement;
      const label = at?.labels?.[0]?.textContent ?? '';
      return [at?.getAttribute('aria-label'), label, at?.textContent, at?.getAttribute('placeholder')].filter(Boolean).join(' | ');
    })()`)) as string;
    if (name.test(focused)) return;
  }
  throw new Error(`nothing called ${name} can be reached by Tab`);
}

describe.skipIf(!chromiumPath)('by keyboard alone', () => {
  let site: Site;
  let seeded: Seeded;
  let visit: Visit;
  beforeAll(async () => {
    site = await openSite();
    seeded = await seedSite(site, 40);
    visit = await site.open();
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('web: the ten tasks', async () => {
    const { page } = visit;
    const { token } = site.owner;
    await page.goto('/app/globex/workspaces');
    await page.getByLabel('Username or email').waitFor();
    await page.keyboard.type(site.owner.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    await page.getByRole('table').waitFor();

    // Find, by the palette.
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor();
    await page.keyboard.type(seeded.open.name);
    await page
      .getByRole('option', { name: new RegExp(seeded.open.name) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.open.name }).waitFor();

    // Lock and unlock.
    await page.keyboard.press('l');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Locked by you').waitFor();
    await page.keyboard.press('u');
    await page.getByText('Locked by you').waitFor({ state: 'detached' });

    // Force open what somebody else holds: the focus is on Cancel.
    const [other] = (await site.app.get('organizations/globex/teams?page[size]=1', token)).data;
    const made = await site.app.post(`teams/${other.id}/authentication-token`, token);
    await site.app.post('team-workspaces', token, {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'write' },
        relationships: {
          team: { data: { type: 'teams', id: other.id } },
          workspace: { data: { type: 'workspaces', id: seeded.open.id } },
        },
      },
    });
    await site.app.post(`workspaces/${seeded.open.id}/actions/lock`, made.data.attributes.token, {
      reason: 'held',
    });
    await page.getByRole('button', { name: 'Force unlock…' }).waitFor();
    await tabTo(page, /Force unlock…/);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Lock…' }).waitFor();

    // Confirm a run.
    await page.goto(`/app/globex/workspaces/${seeded.workspace}/runs/${seeded.run}`);
    await page.getByRole('button', { name: 'Confirm & apply' }).waitFor();
    await tabTo(page, /Confirm & apply/);
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await site.app.get(`runs/${seeded.run}`, token)).data.attributes.status)
      .toBe('apply_queued');

    // Create.
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New workspace' }).waitFor();
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type('made-by-keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'made-by-keyboard' }).waitFor();

    // Permissions of a team.
    await page.goto(`/app/globex/teams/${seeded.team}`);
    await page.getByRole('switch', { name: /View all workspaces/ }).waitFor();
    await tabTo(page, /View all workspaces/);
    await page.keyboard.press('Space');
    await tabTo(page, /Save changes/);
    await page.keyboard.press('Enter');
    await expect
      .poll(
        async () =>
          (await site.app.get(`teams/${seeded.team}`, token)).data.attributes['organization-access']['read-workspaces'],
      )
      .toBe(true);

    // Make a token, store it, revoke it.
    await page.goto('/app/~/settings/tokens');
    await page.getByRole('button', { name: 'New token…' }).waitFor();
    await tabTo(page, /New token…/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('for a test');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Copy the token now').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, /Revoke for a test/);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('for a test', { exact: true }).waitFor({ state: 'detached' });

    // Delete what was created.
    await page.goto('/app/globex/workspaces/made-by-keyboard/settings/deletion');
    await page.getByRole('button', { name: 'Delete workspace…' }).waitFor();
    await tabTo(page, /Delete workspace…/);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/globex/workspaces');
    expect((await site.app.get('organizations/globex/workspaces/made-by-keyboard', token)).status).toBe(404);
  });

  test('web: the palette opens what was typed, however soon Enter follows, and Tab says what can be done there', async () => {
    const { page } = visit;
    await page.goto('/app/globex/projects');
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor();
    await page.keyboard.type(seeded.open.name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.open.name }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor();
    await page.keyboard.type(seeded.workspace);
    await page.getByRole('option', { name: new RegExp(`^${seeded.workspace}`) }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: 'New run…' }).waitFor();
    await page.keyboard.type('new run');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.workspace }).waitFor();
    await page.getByRole('dialog', { name: 'New run' }).waitFor();
  });
});
