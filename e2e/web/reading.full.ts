/** What people read: words that are whole, times that can be had exactly, rows that say what is in them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, member, passwordOf } from '../../test/builders/records.ts';
import { run } from '../../test/builders/run.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, settled, signIn, type Visit } from './browser.ts';
import { reach } from './hands.ts';

const many = 45;
const list = '/app/globex/workspaces';

describe.skipIf(!chromiumPath)('what people read', () => {
  let site: Site;
  let visit: Visit;
  let ids: string[];
  beforeAll(async () => {
    site = await openSite();
    const names = Array.from({ length: many }, (_, index) => `gateway-cluster-staging-eu-west-${100 + index}`);
    ids = [];
    for (const name of names) ids.push(await workspace(site.app, site.organization, { name }));
    visit = await site.open({ viewport: { width: 1280, height: 800 } });
    await signIn(visit.page, site.owner, list);
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });
  const tag = (id: string, tags: Record<string, string>) =>
    site.app.patch(`workspaces/${id}/tag-bindings`, site.owner.token, {
      data: Object.entries(tags).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
    });

  test('web: at 1280 px the key of a tag is whole, and all tags of a row can be had and filtered by from the keyboard', async () => {
    const { page, complaints } = visit;
    await tag(ids[0]!, { department: 'operations', env: 'staging', tier: '1' });
    await tag(ids[1]!, { department: 'web' });
    await page.goto(`${list}?q=-100`);
    await settled(page);
    expect(await isWhole(page, 'tbody .tag-key')).toBe(true);
    await reach(page, page.getByRole('button', { name: /^2 more tags of / }));
    await page.keyboard.press('Enter');
    await reach(page, page.getByRole('menuitem', { name: 'department: operations' }));
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=-100&tag=department:operations/);
    await page.goto(`${list}?tag=department:operations`);
    await settled(page);
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('web: where there is no room for a whole tag, tags are counted, and listed at a press', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 1100, height: 800 });
    await page.goto(`${list}?tag=department:operations`);
    await settled(page);
    expect(await page.locator('tbody .tag').count()).toBe(0);
    await page.getByRole('button', { name: /^3 tags of / }).click();
    await page.getByRole('menuitem', { name: 'env: staging' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('web: a page beyond the last one is the last one', async () => {
    const { page } = visit;
    await page.goto(`${list}?size=20&q=gateway`);
    await settled(page);
    // There are fewer pages than it takes until one can be named.
    expect(await page.getByLabel('Go to page').count()).toBe(0);
    for (let index = 0; index < 2 * many; index += 1)
      await site.app.post(
        'organizations/globex/workspaces',
        site.owner.token,
        bodyOf('workspaces', { name: `z${index}` }),
      );
    await page.goto(list);
    await settled(page);
    await page.getByLabel('Go to page').fill('999');
    await page.keyboard.press('Enter');
    await page.waitForURL(/page=7/);
    await page.getByText('Page 7 of 7').waitFor();
  });

  test('web: the exact time can be had by a key and by a setting, and it stays so', async () => {
    const { page } = visit;
    await page.goto(list);
    await settled(page);
    const first = page.locator('tbody time').first();
    expect(await first.textContent()).toBe('just now');
    await page.locator('h1').click();
    await page.keyboard.press('e');
    expect(await first.textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await page.reload();
    await settled(page);
    expect(await first.textContent()).toMatch(/UTC$/);
    await page.goto('/app/~/settings/appearance');
    await page.getByRole('radio', { name: /^How long ago/ }).check();
    await page.goto(list);
    await settled(page);
    expect(await first.textContent()).not.toMatch(/UTC$/);
  });

  test('web: in a narrow list each value says what it is, in every list', async () => {
    const { page } = visit;
    const { app, owner } = site;
    await app.post(
      `users/${owner.id}/authentication-tokens`,
      owner.token,
      bodyOf('authentication-tokens', { description: 'laptop' }),
    );
    await page.setViewportSize({ width: 390, height: 800 });
    for (const [address, words] of [
      ['/app/~/settings/tokens', ['Last used', 'Expires']],
      ['/app/~/settings/sessions', ['Address', 'Last used']],
      ['/app/globex/projects', ['Workspaces']],
    ] as const) {
      await page.goto(address);
      await settled(page);
      expect(await titlesIn(page)).toEqual(words.map(word => `"${word} "`));
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await titlesIn(page)).toEqual(['none']);
  });

  test('web: a run says which resources it keeps to, and which it makes anew', async () => {
    const { page } = visit;
    const id = await run(site.app, site.organization, ids[2]!, {
      target_addrs: ['module.network.aws_subnet.main'],
      replace_addrs: ['aws_nat_gateway.main'],
    });
    await page.goto(`/app/~/runs/${id}`);
    await page.getByText('module.network.aws_subnet.main').waitFor();
    const facts = await page.locator('.facts').first().textContent();
    expect(facts).toContain('Onlymodule.network.aws_subnet.main');
    expect(facts).toContain('Replaceaws_nat_gateway.main');
  });

  test('web: the fields of the audit have their names above them, and an event leads to its record', async () => {
    const { page } = visit;
    await site.app.post(`workspaces/${ids[3]}/actions/lock`, site.owner.token);
    await page.goto(`/app/globex/audit?record=workspaces:${ids[3]}`);
    await settled(page);
    for (const name of ['Operation', 'Kind of record', 'Since', 'Until'])
      expect(await page.locator('label', { hasText: name }).isVisible(), name).toBe(true);
    await page
      .getByRole('row', { name: /Locked/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('Locked by you').waitFor();
    // On a phone an open event leaves the others as wide as they were.
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto('/app/globex/audit');
    await settled(page);
    const told = page.locator('tbody tr:first-child td').nth(3);
    const before = (await told.boundingBox())!.width;
    await page.locator('tbody button').first().click();
    await page.locator('.event-detail').waitFor();
    expect((await told.boundingBox())!.width).toBe(before);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('web: whoever does not run the server is told nothing of its administration but that there is nothing', async () => {
    const someone = await member(site.app, site.organization);
    const { page, close } = await site.open();
    const password = await passwordOf(site.app, someone);
    await signIn(page, { username: someone.username, password }, '/app/~/admin/users');
    await page.getByText('Nothing here, or nothing that you may see').waitFor();
    expect(await page.getByText('You run this server').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'New user…' }).count()).toBe(0);
    await close();
  });

  test('web: the usual life of a token is told in years, beside its days', async () => {
    const { page } = visit;
    await page.goto('/app/globex/settings/tokens');
    await page.getByText('2 years').first().waitFor();
    const field = page.getByLabel('Days of tokens of users');
    await field.fill('500');
    await page.getByText('about 1.4 years').waitFor();
    await field.fill('30');
    await page.getByText('about 1.4 years').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Discard' }).click();
  });
});

const isWhole = (page: Page, selector: string) =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].every(one => one.scrollWidth <= one.clientWidth)`,
  );

/** What stands before each value of the first row but its name. */
const titlesIn = (page: Page) =>
  page.evaluate(`[...new Set(
    [...document.querySelector('main tbody tr').querySelectorAll('td[data-title]:not(.name-cell)')]
      .filter(one => one.checkVisibility())
      .map(one => getComputedStyle(one, '::before').content))]`);
