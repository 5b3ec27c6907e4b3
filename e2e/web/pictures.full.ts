/** The pictures of docs/pictures, from a seeded server: `npm run pictures` makes them anew. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { chromiumPath, openSite, settled, signIn } from './browser.ts';
import { seedSite } from './seeded.ts';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const isWanted = Boolean(process.env['PICTURES']) && chromiumPath !== undefined;

// Making pictures is no test of its own: it changes files of the repository, so it is asked for by name.
describe.skipIf(!isWanted)('pictures', () => {
  test('of eleven screens', async () => {
    mkdirSync(folder, { recursive: true });
    const site = await openSite();
    const { workspace, open, run, team } = await seedSite(site, 1200);
    const inside = `/app/globex/workspaces/${workspace}`;
    const viewport = { width: 1280, height: 800 };
    const shots: [string, 'light' | 'dark', string, ((page: Page) => Promise<void>)?][] = [
      ['workspaces', 'light', '/app/globex/workspaces'],
      ['workspaces-dark', 'dark', '/app/globex/workspaces?tag=env:production'],
      ['workspace', 'light', inside],
      [
        'lock',
        'light',
        `/app/globex/workspaces/${open.name}`,
        page => page.getByRole('button', { name: 'Lock…', exact: true }).click(),
      ],
      ['run', 'light', `${inside}/runs/${run}`],
      [
        'new-workspace',
        'light',
        '/app/globex/workspaces/~new',
        page => page.getByLabel('Name').fill('ledger-cache-production'),
      ],
      ['team', 'light', `/app/globex/teams/${team}`],
      ['members', 'light', '/app/globex/members'],
      ['audit', 'light', '/app/globex/audit'],
      ['settings', 'dark', `${inside}/settings/team-access`],
      [
        'palette',
        'dark',
        '/app/globex/workspaces',
        async page => {
          await page.keyboard.press('Control+k');
          await page.getByRole('combobox', { name: 'Search or jump to…' }).fill('ledger');
          await page
            .getByRole('option', { name: /ledger/ })
            .first()
            .waitFor();
        },
      ],
    ];
    for (const [name, colorScheme, address, act] of shots) {
      const { page, close } = await site.open({ colorScheme, viewport });
      await signIn(page, site.owner, address);
      await settled(page);
      await act?.(page);
      await page.waitForTimeout(600);
      await page.screenshot({ path: `${folder}${name}.png` });
      await close();
    }
    await site.close();
  });
});
