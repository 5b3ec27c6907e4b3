/** What somebody typed is text wherever it is shown: no field can make a page do anything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openSite, type Site, settled, signIn } from './browser.ts';
import { plantScripts, scriptOf } from './hostile-texts.ts';
import { type Seeded, screensOf, seedSite } from './seeded.ts';

const payload = scriptOf(0);
const fewestFields = 30;

/** What the API takes, and no screen shows. */
const notShown = ['source of a workspace', 'value of an SSH key', 'variable of a run', 'provider'];

describe.skipIf(!chromiumPath)('hostile texts', () => {
  let site: Site;
  let seeded: Seeded;
  let fields: Map<number, string>;
  let failedRun: string;
  beforeAll(async () => {
    site = await openSite();
    seeded = await seedSite(site, 30);
    ({ fields, failedRun } = await plantScripts(site, seeded));
  });
  afterAll(() => site?.close());

  test('web: no text that somebody typed is executed on any screen', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner);
    const executed: string[] = [];
    const seen = new Set<string>();
    const failed = `/app/globex/workspaces/${seeded.workspace}/runs/${failedRun}`;
    for (const [name, address] of Object.entries({ ...screensOf('globex', seeded), 'failed run': failed })) {
      await page.goto(address);
      await settled(page);
      await page.evaluate(`for (const closed of document.querySelectorAll('details')) closed.open = true`);
      for (const [, number] of (await page.content()).matchAll(/field(\d+)\./g))
        seen.add(fields.get(Number(number)) ?? '');
      const field = await page.evaluate('window.executed');
      if (field) executed.push(`${name}: ${fields.get(field as number)}`);
    }
    await page.goto(
      `/app/globex/workspaces?q=${encodeURIComponent(payload)}&tag=${encodeURIComponent(payload)}&sort=${encodeURIComponent(payload)}`,
    );
    await page.waitForTimeout(500);
    if (await page.evaluate('Boolean(window.executed)')) executed.push('the address');
    await close();
    expect(executed).toEqual([]);
    expect(complaints).toEqual([]);
    // What was never shown proves nothing.
    expect([...new Set(fields.values())].filter(field => !seen.has(field))).toEqual(notShown);
    expect(seen.size).toBeGreaterThanOrEqual(fewestFields);
  });

  test('web: signing in leads to addresses of this interface alone', async () => {
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:window.executed=1']) {
      const { page, close } = await site.open();
      await page.goto(`/app/~/sign-in?to=${encodeURIComponent(to)}`);
      await page.getByLabel('Username or email').fill(site.owner.username);
      await page.getByLabel('Password', { exact: true }).fill(site.owner.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(address => !address.pathname.includes('/~/sign-in'));
      expect(page.url().startsWith(`${site.address}/app`)).toBe(true);
      await close();
    }
  });
});
