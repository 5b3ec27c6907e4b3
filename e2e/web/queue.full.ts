/** What waits, what is at work, and what runs are made of: the queue of an organization and of a pool, and configurations. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../test/builders/records.ts';
import { move, run } from '../../test/builders/run.ts';
import { agentPool, workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, settled, signIn, type Visit } from './browser.ts';
import { press } from './hands.ts';

describe.skipIf(!chromiumPath)('queues and configurations', () => {
  let site: Site;
  let visit: Visit;
  let billing: string;
  let network: string;
  let pool: string;
  let first: string;
  let second: string;
  beforeAll(async () => {
    site = await openSite();
    const { app, organization } = site;
    const poolId = await agentPool(app, organization);
    [pool] = (await app.store.read`select agent_pools.name from agent_pools where agent_pools.id = ${poolId}`).map(
      row => row['name'],
    );
    billing = await workspace(app, organization, { name: 'billing' });
    network = await workspace(app, organization, { name: 'network' });
    first = await run(app, organization, billing, { message: 'the first' });
    await move(app, first, 'planning');
    second = await run(app, organization, billing, { message: 'the second' });
    const agents = { execution_mode: 'agent', agent_pool_id: poolId } as const;
    await run(app, organization, network, { message: 'for the agents' }, agents);
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/globex/runs');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  const statusOf = async (id: string) => (await site.app.get(`runs/${id}`, site.owner.token)).data.attributes.status;
  const order = () => visit.page.locator('tbody tr td:first-child').allInnerTexts();

  test('web: the queue lists what is at work before what waits, and what its pool executes alone', async () => {
    const { page, complaints } = visit;
    await page.getByText('1 at work, 2 wait').waitFor();
    await press(page, /^Queue/);
    await expect.poll(order).toEqual(['the first', 'the second', 'for the agents']);
    await page.getByRole('row', { name: /the first.*at work/ }).waitFor();
    await page.getByRole('row', { name: /for the agents.*2/ }).waitFor();
    await page.getByRole('combobox', { name: 'Agent pool' }).click();
    await page.getByRole('option', { name: pool }).click();
    await expect.poll(order).toEqual(['for the agents']);
    expect(new URL(page.url()).searchParams.get('pool')).toBe(pool);
    await page.goto('/app/globex/settings/agent-pools');
    await press(page, new RegExp(`^${pool}$`));
    await page.getByRole('link', { name: 'for the agents' }).waitFor();
    await press(page, /^Open in the queue$/);
    await page.waitForURL(`**/runs/~queue?pool=${pool}`);
    expect(complaints).toEqual([]);
  });

  test('web: a run that waits is put before the others of its workspace, or canceled where it stands in the queue', async () => {
    const { page } = visit;
    await move(site.app, first, 'planned');
    await page.goto(`/app/globex/workspaces/billing/runs/${second}`);
    await press(page, /^Run next…$/);
    await press(page, /^Run next$/);
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await statusOf(first)).toBe('discarded');
    await page.goto('/app/globex/runs/~queue');
    await press(page, /^Cancel the second$/);
    await page.getByRole('link', { name: 'the second' }).waitFor({ state: 'detached' });
    expect(await statusOf(second)).toBe('canceled');
  });

  test('web: configurations name their runs, are downloaded, hidden, brought back and archived; the current one stays', async () => {
    const { page, complaints } = visit;
    const { app, owner } = site;
    const made = await app.post(
      `workspaces/${billing}/configuration-versions`,
      owner.token,
      bodyOf('configuration-versions', {}),
    );
    const archive = gzipSync(Buffer.alloc(1024));
    const sent = await fetch(
      `${site.address}${new URL(made.data.attributes['upload-url']).pathname}${new URL(made.data.attributes['upload-url']).search}`,
      {
        method: 'PUT',
        body: archive,
      },
    );
    expect(sent.status).toBe(200);
    await run(app, site.organization, billing);
    await page.goto('/app/globex/workspaces/billing');
    await press(page, /^Configurations$/);
    const row = page.getByRole('row', { name: made.data.id });
    await row.getByText('Ready').waitFor();
    await page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: 'the first' }) })
      .waitFor();
    await page
      .getByRole('row', { name: /current/ })
      .getByRole('button')
      .waitFor();

    await press(page, new RegExp(`^Actions for ${made.data.id}$`));
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download' }).click();
    const downloaded = await downloading;
    expect(downloaded.suggestedFilename()).toBe(`billing-${made.data.id}.tar.gz`);
    expect(readFileSync(await downloaded.path()).equals(archive)).toBe(true);

    await press(page, new RegExp(`^Actions for ${made.data.id}$`));
    await page.getByRole('menuitem', { name: 'Hide content…' }).click();
    await press(page, /^Hide content$/);
    await row.getByText('Hidden').waitFor();
    await press(page, new RegExp(`^Actions for ${made.data.id}$`));
    await page.getByRole('menuitem', { name: 'Restore content' }).click();
    await row.getByText('Ready').waitFor();
    await press(page, new RegExp(`^Actions for ${made.data.id}$`));
    await page.getByRole('menuitem', { name: 'Archive…' }).click();
    await press(page, /^Archive$/);
    // The upload queued a run by itself: what it is made of cannot go yet.
    await page.getByText('a run of it has not finished').waitFor();
    const [queued] = (
      await app.get(`workspaces/${billing}/runs?filter[configuration_version][id]=${made.data.id}`, owner.token)
    ).data;
    await move(app, queued.id, 'canceled');
    await press(page, /^Archive$/);
    await row.getByText('Archived').waitFor();
    await row.getByRole('link').waitFor();
    await page.goto('/app/globex/workspaces/network/configurations');
    await settled(page);
    expect(complaints).toEqual([]);
  });
});
