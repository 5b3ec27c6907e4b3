/** How the screen stays fresh: told of changes, asking again where nobody tells, and silent where nobody looks. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentRow } from '../../test/builders/agent.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { runTask } from '../../test/builders/run-task.ts';
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

  test('web: tasks, notifications, pools, agents, variables and keys that others change show without reload', async () => {
    const { app, owner, organization } = site;
    const { page, complaints, close } = await site.open();
    const inside = `${list}/gateway`;
    const make = async (path: string, type: string, attributes: object) =>
      (await app.post(path, owner.token, bodyOf(type, attributes))).data.id as string;
    const hook = { 'destination-type': 'slack', url: 'https://hooks.example/1', enabled: false };
    const notifications = 'notification-configurations';
    await signIn(page, owner, `${inside}/settings/notifications`);
    await page.getByText('Nobody is told yet').waitFor();
    const told = await make(`workspaces/${id}/${notifications}`, notifications, { ...hook, name: 'on-call' });
    await page.getByText('on-call').waitFor();
    await app.patch(`${notifications}/${told}`, owner.token, bodyOf(notifications, { name: 'pager' }));
    await page.getByText('pager').waitFor();

    await page.goto(`${inside}/variables`);
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await make(`workspaces/${id}/vars`, 'vars', { key: 'region', value: 'eu', category: 'terraform' });
    await page.getByText('region', { exact: true }).waitFor();

    await page.goto('/app/globex/settings/run-tasks');
    await page.getByRole('heading', { name: 'Run tasks' }).waitFor();
    await runTask(app, organization, { name: 'scan' });
    await page.getByText('scan', { exact: true }).waitFor();

    await page.goto('/app/globex/settings/agent-pools');
    await page.getByText('No agent pool yet').waitFor();
    const pool = await make('organizations/globex/agent-pools', 'agent-pools', { name: 'on-premises' });
    await page.getByText('0 agents').waitFor();
    const agent = await agentRow(app, { agent_pool_id: pool, name: 'worker-1' });
    await page.getByText('1 agent', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'on-premises', exact: true }).click();
    await page.getByText('worker-1').waitFor();
    await app.store.read`update agents set exited_at = now() where agents.id = ${agent}`;
    await page.getByText('gone', { exact: true }).waitFor();

    await page.goto('/app/globex/settings/ssh-keys');
    await page.getByText('No SSH key yet').waitFor();
    await make('organizations/globex/ssh-keys', 'ssh-keys', { name: 'modules', value: 'key' });
    await page.getByText('modules', { exact: true }).waitFor();
    await close();
    expect(complaints).toEqual([]);
  });

  test('web: a variable set and its variables that others change show without reload, also in a workspace', async () => {
    const { app, owner } = site;
    const { page, complaints, close } = await site.open();
    const make = async (path: string, type: string, attributes: object) =>
      (await app.post(path, owner.token, bodyOf(type, attributes))).data.id as string;
    await signIn(page, owner, '/app/globex/variable-sets');
    await page.getByText('No variable set yet').waitFor();
    const set = await make('organizations/globex/varsets', 'varsets', { name: 'common', global: true });
    await page.getByRole('link', { name: 'common' }).click();
    await page.getByText('No variable yet').waitFor();
    const zone = await make(`varsets/${set}/relationships/vars`, 'vars', {
      key: 'zone',
      value: 'eu-west',
      category: 'terraform',
    });
    await page.getByText('eu-west', { exact: true }).waitFor();
    // The feed begins anew with the page, and tells nothing of what changed before that.
    let begin = () => {};
    const held = new Promise<void>(resolve => {
      begin = resolve;
    });
    await page.route('**/changes', async route => {
      await held;
      await route.continue();
    });
    await page.goto(`${list}/gateway/variables`);
    await page.getByText('eu-west', { exact: true }).waitFor();
    await app.patch(`varsets/${set}/relationships/vars/${zone}`, owner.token, bodyOf('vars', { value: 'us-east' }));
    begin();
    await page.getByText('us-east', { exact: true }).waitFor();
    await app.delete(`varsets/${set}`, owner.token);
    await page.getByText('us-east', { exact: true }).waitFor({ state: 'detached' });
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
