/**
 * As a new user would: from the first start, in the browser alone, an organization, teams, people, a workspace that one team may
 * change, a lock between two people with both browsers open, tags on 200 workspaces at once, and the audit of it; once by
 * pointer, and once by keyboard alone.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, person } from '../../test/builders/records.ts';
import { chromiumPath, type EmptySite, openEmptySite, type Visit } from './browser.ts';
import { type Hands, keyboard, pointer } from './hands.ts';

const many = 200;
const password = 'quiet ledger of northern terraces';

describe.skipIf(!chromiumPath).each([
  ['by pointer', pointer],
  ['by keyboard alone', keyboard],
] as const)('from the first start, %s', (_way, hands) => {
  const { press, write, pick } = hands;
  let site: EmptySite;
  let administrator: Visit;
  let token: string;
  const people: Record<string, Visit> = {};
  beforeAll(async () => {
    site = await openEmptySite();
    token = (await person(site.app, { username: 'warden', isAdmin: true })).token;
    administrator = await site.open();
  });
  afterAll(async () => {
    for (const visit of [administrator, ...Object.values(people)]) await visit?.close();
    await site?.close();
  });

  test('web: a token becomes a password, and an organization is made', async () => {
    const { page } = administrator;
    await page.goto('/app/');
    await press(page, /^Use an API token instead/);
    await write(page, /^API token/, token);
    await page.keyboard.press('Enter');
    await press(page, /^New organization…/);
    await write(page, /^New password/, password);
    await page.keyboard.press('Enter');
    await page.getByText('Sign-in is set').waitFor();
    await write(page, /^Name/, 'globex');
    await write(page, /^Email/, 'warden@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Open Teams' }).waitFor();
  });

  test('web: two teams, and three people who come by one-time links and accept', async () => {
    const { page } = administrator;
    await press(page, /^Open Teams/);
    for (const name of ['network', 'payments']) {
      await page.goto('/app/globex/teams');
      await press(page, /^New team/);
      await write(page, /^Name/, name);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('heading', { name }).waitFor();
    }
    for (const [name, team] of [
      ['bob', 'network'],
      ['carol', 'payments'],
      ['dave', 'payments'],
    ] as const) {
      const link = await accountOf(hands, page, name);
      await page.goto('/app/globex/members');
      await press(page, /^Invite…/);
      await write(page, /^Email/, `${name}@example.com`);
      await pick(page, /^Teams/, team);
      await press(page, /^Invite$/);
      await page.getByText(`${name}@example.com`).waitFor();
      people[name] = await comeIn(hands, site, name, link);
    }
    await page.goto('/app/globex/members?status=active');
    for (const name of Object.keys(people)) await page.getByText(name, { exact: true }).waitFor();
  });

  test('web: a workspace that one team may change, and another may only look at', async () => {
    const { page } = administrator;
    await page.goto('/app/globex/workspaces/~new');
    await write(page, /^Name/, 'ledger');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ledger' }).waitFor();
    for (const [team, level] of [
      ['network', 'Write'],
      ['payments', 'Read'],
    ] as const) {
      await page.goto('/app/globex/workspaces/ledger/settings/team-access');
      await press(page, /^Add team…/);
      await pick(page, /^Team/, team);
      await pick(page, /^Access/, level);
      await press(page, /^Add team$/);
      await page.getByRole('link', { name: team }).waitFor();
    }
  });

  test('web: one locks, the other sees it and forces it open, and the one sees that, too', async () => {
    const [mine, theirs] = [people['bob']!.page, administrator.page];
    for (const page of [mine, theirs]) await page.goto('/app/globex/workspaces/ledger');
    await press(mine, /^Lock…/);
    await write(mine, /^Reason/, 'Moving the primary');
    await mine.keyboard.press('Control+Enter');
    await mine.getByText('Locked by you').waitFor();
    await theirs.getByText('Locked by bob').waitFor();
    await theirs.getByText('Moving the primary').waitFor();

    // Whoever may only look is told why, and who could.
    const looking = people['carol']!.page;
    await looking.goto('/app/globex/workspaces/ledger');
    await press(looking, /^Unlock/);
    await looking.getByText('A lock is opened by whoever holds it, and that is bob.').waitFor();

    await press(theirs, /^Force unlock…/);
    await theirs.getByRole('alertdialog').waitFor();
    await press(theirs, /^Force unlock$/);
    await mine.getByText('Locked by you').waitFor({ state: 'detached' });
    await mine.getByRole('button', { name: 'Lock…', exact: true }).waitFor();
  });

  test('web: tags on 200 workspaces at once', async () => {
    const { page } = administrator;
    // As the command line makes them.
    for (let number = 1; number <= many; number += 1)
      await site.app.post(
        'organizations/globex/workspaces',
        token,
        bodyOf('workspaces', { name: `service-${number}` }),
      );
    await page.goto('/app/globex/workspaces?q=service&size=100');
    await press(page, /^Select all 100 on this page/);
    await press(page, /^Select all 200/);
    await page.getByText('200 selected').waitFor();
    await press(page, /^Add tags…/);
    await write(page, /^Tags/, 'wave:one');
    await press(page, /^Add tags$/);
    await page.getByText('200 workspaces done').waitFor({ timeout: 120_000 });
    const query = 'filter[tagged][0][key]=wave&filter[tagged][0][value]=one&page[size]=1';
    const { document } = await site.app.get(`organizations/globex/workspaces?${query}`, token);
    expect(document.meta.pagination['total-count']).toBe(many);
  });

  test('web: the audit names who did what, to which record, and nothing was refused by the policy of the page', async () => {
    const { page } = administrator;
    await page.goto('/app/globex/workspaces/ledger');
    await press(page, /^More actions/);
    await press(page, /^Audit of this/);
    await page.getByRole('table').waitFor();
    const rows = await page.getByRole('row').allTextContents();
    expect(rows.some(row => /bob/.test(row) && /locked/i.test(row))).toBe(true);
    expect(rows.some(row => /warden/.test(row) && /forced/i.test(row))).toBe(true);
    for (const { complaints } of [administrator, ...Object.values(people)]) expect(complaints).toEqual([]);
  });
});

/** Makes an account; returns the link to its password, which is shown once. */
async function accountOf({ press, write }: Hands, page: Page, name: string): Promise<string> {
  await page.goto('/app/~/admin/users');
  await press(page, /^New user…/);
  await write(page, /^Username/, name);
  await write(page, /^Email/, `${name}@example.com`);
  await page.keyboard.press('Control+Enter');
  const link = (await page.locator('.secret').textContent())!;
  await press(page, /^I have passed it on/);
  return link;
}

/** By the link, in a browser of their own, and then by accepting. */
async function comeIn({ press, write }: Hands, site: EmptySite, name: string, link: string): Promise<Visit> {
  const visit = await site.open();
  const { page } = visit;
  const { pathname, hash } = new URL(link);
  await page.goto(`${pathname}${hash}`);
  await write(page, /^Password for/, `${password} of ${name}`);
  await page.keyboard.press('Enter');
  await press(page, /^Accept the invitation to globex/);
  await page.getByText('You are a member of globex').waitFor();
  return visit;
}
