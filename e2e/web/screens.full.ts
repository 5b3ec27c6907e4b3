/** Every screen in light and dark, wide and narrow: nothing that axe finds, nothing cut, nothing that the policy refuses. */
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { member, organization, passwordOf, person } from '../../test/builders/records.ts';
import { chromiumPath, openSite, type Site, settled, signIn, type Visit } from './browser.ts';
import { actsOf, cutIn } from './narrow.ts';
import { type Seeded, screensOf, seedSite } from './seeded.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Finding {
  id: string;
  nodes: { target: string[]; failureSummary?: string }[];
}

/** Evaluated from outside: the policy of the page would refuse it as a script of its own. */
async function findingsOf(page: Page): Promise<string[]> {
  const source = (await import('node:fs')).readFileSync(axePath, 'utf8');
  await page.evaluate(`${source}; undefined`);
  const findings = (await page.evaluate(`
    axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations)
  `)) as Finding[];
  return findings.flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** What an organization shows that has nothing yet, and to somebody who may nothing. */
const lists = ['workspaces', 'projects', 'runs', 'variable-sets', 'teams', 'members', 'settings/general'];

describe.skipIf(!chromiumPath)('every screen', () => {
  let site: Site;
  let seeded: Seeded;
  beforeAll(async () => {
    site = await openSite();
    seeded = await seedSite(site, 60);
  });
  afterAll(() => site?.close());

  describe.each(['light', 'dark'] as const)('in %s', colorScheme => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await site.open({ colorScheme });
      await signIn(visit.page, site.owner);
    });
    afterAll(() => visit?.close());

    test('web: axe finds nothing on any screen', async () => {
      const found: Record<string, string[]> = {};
      for (const [name, address] of Object.entries(screensOf('globex', seeded))) {
        await visit.page.goto(address);
        await settled(visit.page);
        const findings = await findingsOf(visit.page);
        // A screen that failed is accessible, too: it must show what it is for.
        const failed = await visit.page.locator('.notice[data-kind=error]').allTextContents();
        if (findings.length + failed.length > 0) found[name] = [...findings, ...failed];
      }
      expect(found).toEqual({});
      expect(visit.complaints).toEqual([]);
    });

    test('web: axe finds nothing where nothing is yet, and where somebody may not', async () => {
      const found: Record<string, string[]> = {};
      const nobody = await member(site.app, site.organization);
      const password = await passwordOf(site.app, nobody);
      const owner = await person(site.app);
      await organization(site.app, { name: `initech-${colorScheme}`, owner });
      const newcomer = { ...owner, password: await passwordOf(site.app, owner) };
      for (const [who, of] of [
        [{ ...nobody, password }, 'globex'],
        [newcomer, `initech-${colorScheme}`],
      ] as const) {
        const { page, complaints, close } = await site.open({ colorScheme });
        await signIn(page, who);
        for (const list of lists) {
          await page.goto(`/app/${of}/${list}`);
          await settled(page);
          const findings = await findingsOf(page);
          if (findings.length > 0) found[`${of} ${list}`] = findings;
        }
        expect(complaints).toEqual([]);
        await close();
      }
      expect(found).toEqual({});
    });

    test('web: axe finds nothing while a screen loads, and where the server does not answer', async () => {
      const { page, close } = await site.open({ colorScheme });
      await signIn(page, site.owner);
      await settled(page);
      const inside = `/app/globex/workspaces/${seeded.workspace}`;
      const found: Record<string, string[]> = {};
      const look = async (name: string) => {
        const findings = await findingsOf(page);
        if (findings.length > 0) found[name] = findings;
      };
      // Held back: neither answered nor refused.
      await page.route('**/api/v2/**', () => {});
      for (const address of ['/app/globex/workspaces', inside, `${inside}/runs/${seeded.run}`, '/app/globex/audit']) {
        await page.goto(address);
        await page.locator('[aria-busy=true]').first().waitFor();
        await look(`${address} loading`);
      }
      await page.unroute('**/api/v2/**');
      await page.route('**/api/v2/**', route => route.abort());
      for (const address of ['/app/globex/workspaces', inside]) {
        await page.goto(address);
        await page.getByText('This page tries again by itself.').waitFor();
        await page.locator('.notice[data-kind=error]').first().waitFor();
        await look(`${address} offline`);
      }
      await close();
      expect(found).toEqual({});
    });

    test('web: axe finds nothing in dialogs, menus, the palette and the help', async () => {
      const { page } = visit;
      const found: Record<string, string[]> = {};
      const look = async (name: string) => {
        await page.waitForTimeout(300);
        const findings = await findingsOf(page);
        if (findings.length > 0) found[name] = findings;
        await page.keyboard.press('Escape');
      };
      await page.goto(`/app/globex/workspaces/${seeded.workspace}`);
      await page.getByRole('button', { name: 'Force unlock…' }).click();
      await look('force unlock');
      await page.goto(`/app/globex/workspaces/${seeded.open.name}`);
      await page.getByRole('button', { name: 'Lock…', exact: true }).click();
      await look('lock');
      await page.getByRole('button', { name: 'Manage tags' }).click();
      await look('tags');
      await page.getByRole('button', { name: 'New run…' }).click();
      await look('new run');
      await page.getByRole('button', { name: 'More actions' }).click();
      await look('menu');
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or jump to…' }).waitFor();
      await look('palette');
      await page.keyboard.press('?');
      await look('keys');
      await page.goto('/app/globex/workspaces');
      await page
        .getByRole('button', { name: / tags? of / })
        .first()
        .click();
      await look('tags of a row');
      await page.getByLabel(/^Select all/).check();
      await page.getByRole('button', { name: 'Add tags…' }).click();
      await look('bulk');
      await page.goto('/app/globex/settings/agent-pools');
      await page.getByRole('button', { name: 'on-premises', exact: true }).click();
      await page.getByRole('heading', { name: /workspaces that may not use it/ }).waitFor();
      await look('agent pool');
      expect(found).toEqual({});
    });
  });

  // 320 px is what 1280 px are at 400 %.
  test('web: at 768, 390 and 320 px nothing is cut or beyond the edge, and all that can be done on a wide screen is there', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner);
    const found: Record<string, string[]> = {};
    for (const [name, address] of Object.entries(screensOf('globex', seeded))) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(address);
      await settled(page);
      const wide = await actsOf(page);
      const faults: string[] = [];
      for (const width of [768, 390, 320]) {
        await page.setViewportSize({ width, height: 640 });
        const fold = page.locator('.settings > .nav > button[aria-expanded=false]:visible');
        if ((await fold.count()) > 0) await fold.click();
        await page.waitForTimeout(100);
        const narrow = new Set(await actsOf(page));
        faults.push(...wide.filter(act => !narrow.has(act)).map(act => `at ${width} px there is no ${act}`));
        faults.push(...(await cutIn(page)).map(fault => `at ${width} px ${fault}`));
      }
      if (faults.length > 0) found[name] = faults;
    }
    await close();
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
  });

  // WCAG 1.4.12: who reads better so sets it in the browser, and loses nothing.
  test('web: with the widest spacing of lines, words and letters nothing is cut or beyond the edge, wide and narrow', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner);
    const found: Record<string, string[]> = {};
    for (const [name, address] of Object.entries(screensOf('globex', seeded))) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(address);
      await settled(page);
      await page.evaluate(spaced);
      const faults: string[] = [];
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(100);
        faults.push(...(await cutIn(page)).map(fault => `at ${width} px ${fault}`));
      }
      if (faults.length > 0) found[name] = faults;
    }
    await close();
    expect(found).toEqual({});
    expect(complaints).toEqual([]);
  });
});

/** As a sheet that is made here: the policy of the page lets none be written into it. */
const spaced = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets.push(sheet);`;
