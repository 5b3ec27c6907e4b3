/** How the screen stays fresh: told of changes, asking again where nobody tells, and silent where nobody looks. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../test/builders/records.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, settled, signIn } from './browser.ts';

const list = '/app/globex/workspaces';

/** What is asked of the API from now on, without its queries. */
function asked(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', request => paths.push(new URL(request.url()).pathname));
  return paths;
}

const hide = `
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
  Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));`;

describe.skipIf(!chromiumPath)('what others do', () => {
  let site: Site;
  let id: string;
  beforeAll(async () => {
    site = await openSite();
    id = await workspace(site.app, site.organization, { name: 'gateway' });
  });
  afterAll(() => site?.close());

  const lock = () =>
    site.app.post(`workspaces/${id}/actions/lock`, site.owner.token, { reason: 'by the command line' });
  const unlock = () => site.app.post(`workspaces/${id}/actions/unlock`, site.owner.token);

  test('web: a change is seen when the feed tells of it, and nobody asks for lists in between', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner, list);
    await page.getByRole('link', { name: 'gateway' }).waitFor();
    // The first asking after the feed has begun is the last one.
    await page.waitForTimeout(6000);
    const paths = asked(page);
    await page.waitForTimeout(11_000);
    expect(paths.filter(path => path.endsWith('/workspaces'))).toEqual([]);
    await lock();
    await page.locator('tbody .lock').waitFor();
    await unlock();
    await page.locator('tbody .lock').waitFor({ state: 'detached' });
    await close();
    expect(complaints).toEqual([]);
  });

  test('web: without the feed the list is asked for again every few seconds', async () => {
    const { page, close } = await site.open();
    await page.route('**/changes', route => route.abort());
    await signIn(page, site.owner, list);
    await page.getByRole('link', { name: 'gateway' }).waitFor();
    await lock();
    await page.locator('tbody .lock').waitFor();
    await unlock();
    await close();
  });

  test('web: a hidden tab asks for nothing, and goes on where it was when it is looked at again', async () => {
    const { page, close } = await site.open();
    await signIn(page, site.owner, list);
    await page.getByRole('link', { name: 'gateway' }).waitFor();
    await settled(page);
    const paths = asked(page);
    await page.evaluate(hide);
    await site.app.patch(`workspaces/${id}`, site.owner.token, bodyOf('workspaces', { name: 'renamed' }));
    await page.waitForTimeout(12_000);
    expect(paths).toEqual([]);
    await page.evaluate(hide.replace(`'hidden'`, `'visible'`).replace('=> true', '=> false'));
    await page.getByRole('link', { name: 'renamed' }).waitFor();
    await close();
  });
});
