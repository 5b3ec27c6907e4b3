/** By keyboard alone: sign in, find, lock, unlock, force unlock, confirm a run, create, edit permissions, revoke, delete. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, member, passwordOf } from '../../test/builders/records.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { keyboard } from './hands.ts';
import { type Seeded, seedSite } from './seeded.ts';

const { press } = keyboard;
const made = 'made-by-keyboard';

describe.skipIf(!chromiumPath)('by keyboard alone', () => {
  let site: Site;
  let seeded: Seeded;
  let visit: Visit;
  let page: Page;
  let token: string;
  beforeAll(async () => {
    site = await openSite();
    seeded = await seedSite(site, 40);
    visit = await site.open();
    page = visit.page;
    token = site.owner.token;
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('web: signing in', async () => {
    await page.goto('/app/globex/workspaces');
    await page.getByLabel('Username or email').waitFor();
    await page.keyboard.type(site.owner.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(site.owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    await page.getByRole('table').waitFor();
  });

  test('web: finding a workspace, by the palette', async () => {
    await typeInPalette(page, seeded.open.name);
    await page
      .getByRole('option', { name: new RegExp(seeded.open.name) })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.open.name }).waitFor();
  });

  test('web: locking', async () => {
    await page.keyboard.press('l');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('by keyboard');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Locked by you').waitFor();
  });

  test('web: unlocking', async () => {
    await page.keyboard.press('u');
    await page.getByText('Locked by you').waitFor({ state: 'detached' });
  });

  test('web: opening by force what somebody else holds, with the focus on Cancel first', async () => {
    await lockedByTeam(site, seeded.open.id);
    await press(page, /^Force unlock…$/);
    await page.getByRole('alertdialog').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor();
    await press(page, /^Force unlock$/);
    await page.getByRole('button', { name: 'Lock…', exact: true }).waitFor();
  });

  test('web: confirming a run', async () => {
    await page.goto(`/app/globex/workspaces/${seeded.workspace}/runs/${seeded.run}`);
    await press(page, /^Confirm & apply/);
    const status = async () => (await site.app.get(`runs/${seeded.run}`, token)).data.attributes.status;
    await expect.poll(status).toBe('apply_queued');
  });

  test('web: creating a workspace', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New workspace' }).waitFor();
    await page.getByLabel('Name').waitFor();
    await page.keyboard.type(made);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: made }).waitFor();
  });

  test('web: changing what a team may do', async () => {
    await page.goto(`/app/globex/teams/${seeded.team}`);
    await press(page, /^View all workspaces/);
    await press(page, /^Save changes/);
    const may = async () => (await site.app.get(`teams/${seeded.team}`, token)).data.attributes['organization-access'];
    await expect.poll(async () => (await may())['read-workspaces']).toBe(true);
  });

  test('web: making a token, storing it, and revoking it', async () => {
    await page.goto('/app/~/settings/tokens');
    await press(page, /^New token…/);
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('for a test');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Copy the token now').waitFor();
    await press(page, /^I have stored it/);
    await press(page, /^Revoke for a test/);
    await page.getByRole('alertdialog').waitFor();
    await press(page, /^Revoke token/);
    await page.getByText('for a test', { exact: true }).waitFor({ state: 'detached' });
  });

  test('web: a dialog has the focus as soon as it stands, keeps it, and gives it back', async () => {
    await page.goto('/app/~/settings/tokens');
    const opener = page.getByRole('button', { name: 'New token…' });
    await opener.waitFor();
    await page.evaluate(watchDialogs);
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate('window.focusedFirst')).toBe('INPUT');
    // Whoever goes on at once is not taken back.
    await page.evaluate(goOnAtOnce);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New token…');
  });

  test('web: a menu has the focus as soon as it stands, lets go of who leaves it, and gives it back', async () => {
    await page.goto('/app/globex/audit');
    const opener = page.getByRole('button', { name: 'Export' });
    await opener.waitFor();
    expect(await page.evaluate(leaving('Export'))).toEqual({ first: 'menuitem', afterTimers: 'Workspaces' });
    await page.keyboard.press('Escape');
    await opener.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    expect(await page.evaluate(escaping)).toBe('Export');
  });

  test('web: why something is refused has the focus as soon as it stands, lets go of who leaves it, and gives it back', async () => {
    const somebody = await member(site.app, site.organization);
    const { page: theirs, close } = await site.open();
    await signIn(theirs, { ...somebody, password: await passwordOf(site.app, somebody) }, '/app/globex/projects');
    const opener = theirs.getByRole('button', { name: 'New project' });
    await opener.waitFor();
    expect(await theirs.evaluate(leaving('New project'))).toEqual({ first: 'button', afterTimers: 'Workspaces' });
    await theirs.keyboard.press('Escape');
    await theirs.reload();
    await opener.focus();
    await theirs.keyboard.press('Enter');
    await theirs.getByRole('dialog').waitFor();
    expect(await theirs.evaluate(escaping)).toBe('New project');
    await close();
  });

  test('web: deleting what was created', async () => {
    await page.goto(`/app/globex/workspaces/${made}/settings/deletion`);
    await press(page, /^Delete workspace…/);
    await page.getByRole('alertdialog').waitFor();
    await press(page, /^Delete workspace$/);
    await page.waitForURL('**/app/globex/workspaces');
    expect((await site.app.get(`organizations/globex/workspaces/${made}`, token)).status).toBe(404);
  });

  test('web: the palette opens what was typed, however soon Enter follows, and Tab says what can be done there', async () => {
    await page.goto('/app/globex/projects');
    await page.getByRole('table').waitFor();
    await typeInPalette(page, seeded.open.name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.open.name }).waitFor();

    await typeInPalette(page, seeded.workspace);
    await page.getByRole('option', { name: new RegExp(`^${seeded.workspace}`) }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: 'New run…' }).waitFor();
    await page.keyboard.type('new run');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: seeded.workspace }).waitFor();
    await page.getByRole('dialog', { name: 'New run' }).waitFor();
  });
});

/** What has the focus when a dialog comes into the page, before anything else can happen there. */
const watchDialogs = `
  new MutationObserver((_changes, observer) => {
    if (!document.querySelector('[role=dialog]')) return;
    observer.disconnect();
    window.focusedFirst = document.activeElement.tagName;
  }).observe(document.body, { subtree: true, childList: true });
  undefined`;

/** Closes and opens the dialog anew, and leaves its first field before any timer can fire; resolves when all have. */
const goOnAtOnce = `
  new Promise(resolve => {
    const named = name => [...document.querySelectorAll('button')].find(button => button.textContent === name);
    named('Cancel').click();
    setTimeout(() => {
      named('New token…').focus();
      named('New token…').click();
      new MutationObserver((_changes, observer) => {
        if (!named('Cancel')) return;
        observer.disconnect();
        named('Cancel').focus();
        setTimeout(resolve, 100);
      }).observe(document.body, { subtree: true, childList: true });
    }, 100);
  })`;

/** Opens what a button opens, says what has the focus when it stands, goes on elsewhere at once, and says who has it at the end. */
const leaving = (opener: string) => `
  new Promise(resolve => {
    const named = name => [...document.querySelectorAll('button, a')].find(({ textContent }) => textContent.trim() === name);
    named(${JSON.stringify(opener)}).focus();
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('[role=menu], [role=dialog]')) return;
      observer.disconnect();
      const { activeElement } = document;
      const first = activeElement.getAttribute('role') ?? activeElement.localName;
      const isInside = activeElement.closest('[role=menu], [role=dialog]') !== null;
      named('Workspaces').focus();
      const end = () => resolve({ first: isInside ? first : 'outside', afterTimers: document.activeElement.textContent.trim() });
      setTimeout(end, 100);
    }).observe(document.body, { subtree: true, childList: true });
    named(${JSON.stringify(opener)}).click();
  })`;

/** Closes what stands open, and says what has the focus as soon as it is gone. */
const escaping = `
  new Promise(resolve => {
    const opened = document.querySelector('[role=menu], [role=dialog]');
    new MutationObserver((_changes, observer) => {
      if (opened.isConnected) return;
      observer.disconnect();
      resolve(document.activeElement.textContent.trim());
    }).observe(document.body, { subtree: true, childList: true });
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  })`;

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor();
  await page.keyboard.type(text);
}

/** A team that may change the workspace locks it, by its token. */
async function lockedByTeam({ app, owner }: Site, workspaceId: string): Promise<void> {
  const [team] = (await app.get('organizations/globex/teams?page[size]=1', owner.token)).data;
  const { data } = await app.post(`teams/${team.id}/authentication-token`, owner.token);
  const between = {
    team: { data: { type: 'teams', id: team.id } },
    workspace: { data: { type: 'workspaces', id: workspaceId } },
  };
  await app.post('team-workspaces', owner.token, bodyOf('team-workspaces', { access: 'write' }, between));
  await app.post(`workspaces/${workspaceId}/actions/lock`, data.attributes.token, { reason: 'held' });
}
