/** Lists of records: what they say where nothing is, their keys, their pages, and where the focus goes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../test/builders/records.ts';
import { chromiumPath, openSite, type Site, settled, signIn, type Visit } from './browser.ts';

const teams = 60;

describe.skipIf(!chromiumPath)('a list of records', () => {
  let site: Site;
  let visit: Visit;
  beforeAll(async () => {
    site = await openSite();
    const { app, owner } = site;
    for (let index = 0; index < teams; index += 1) {
      const name = `team-${String(index).padStart(2, '0')}`;
      await app.post('organizations/globex/teams', owner.token, bodyOf('teams', { name }));
    }
    for (const name of ['first', 'second', 'third'])
      await app.post('organizations/globex/ssh-keys', owner.token, bodyOf('ssh-keys', { name, value: 'key' }));
    visit = await site.open();
    await signIn(visit.page, owner, '/app/globex/teams');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('web: what is searched for is in the address, none that match is told apart from none, and there is a way back', async () => {
    const { page } = visit;
    await page.goto('/app/globex/teams');
    await settled(page);
    await page.keyboard.press('/');
    await page.keyboard.type('team-07');
    await page.getByRole('link', { name: 'team-07' }).waitFor();
    await page.waitForURL(/\?q=team-07$/);
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Find a team').inputValue()).toBe('team-07');
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Find a team').fill('nothing is called so');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('link', { name: 'team-00' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  test('web: what is made in a list opens, and is found there afterwards', async () => {
    const { page } = visit;
    await page.goto('/app/globex/variable-sets');
    await page.getByText('No variable set yet').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Name').fill('common');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/variable-sets\/varset-\w+$/);
    await page.goto('/app/globex/variable-sets?q=nothing');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('Find a variable set').fill('comm');
    await page.getByRole('link', { name: 'common' }).waitFor();
  });

  test('web: by keyboard from row to row, over the page, and into the record', async () => {
    const { page } = visit;
    await page.goto('/app/globex/teams');
    await settled(page);
    const focused = () => page.evaluate('document.activeElement.textContent');
    const names = await page.locator('tbody .name').allTextContents();
    await page.keyboard.press('j');
    expect(await focused()).toBe(names[0]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    expect(await focused()).toBe(names[1]);
    await page.keyboard.press(']');
    await page.waitForURL(/\?page=2$/);
    await page.getByText(`51–${teams + 1} of ${teams + 1}`).waitFor();
    await page.goBack();
    await page.getByText(`1–50 of ${teams + 1}`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/teams\/team-\w+$/);
  });

  test('web: the row after one that was deleted has the focus, and the list says when it was the last', async () => {
    const { page, complaints } = visit;
    await page.goto('/app/globex/settings/ssh-keys');
    await settled(page);
    const names = await page.locator('tbody .name-cell').allTextContents();
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: `Delete ${name}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    };
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await remove(names[1]!);
    await expect.poll(focused).toBe(`Actions for ${names[2]}`);
    await remove(names[2]!);
    await expect.poll(focused).toBe(`Actions for ${names[0]}`);
    await remove(names[0]!);
    await page.getByText('No SSH key yet').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('rows');
    expect(complaints).toEqual([]);
  });
});
