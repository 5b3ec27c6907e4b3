/** Two people at one record: what others wrote is never written over unseen, and who was faster with a lock is said. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../../test/builders/records.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { press, write } from './hands.ts';

describe.skipIf(!chromiumPath)('saving', () => {
  let site: Site;
  let id: string;
  let visit: Visit;
  beforeAll(async () => {
    site = await openSite();
    id = await workspace(site.app, site.organization, { name: 'gateway', description: 'as it was' });
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/globex/workspaces/gateway/settings/general');
    await visit.page.getByLabel('Description').waitFor();
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  const update = (attributes: object) =>
    site.app.patch(`workspaces/${id}`, site.owner.token, bodyOf('workspaces', attributes));
  const held = async () => (await site.app.get(`workspaces/${id}`, site.owner.token)).data.attributes;

  test('web: what others changed in other fields stays, and nobody is asked', async () => {
    const { page } = visit;
    await write(page, /^Description/, 'for the edge');
    await update({ 'working-directory': 'edge' });
    await press(page, /^Save changes/);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await held()).toMatchObject({ description: 'for the edge', 'working-directory': 'edge' });
  });

  test('web: the same field → yours, theirs and what stood before; back keeps the form, and either can be taken', async () => {
    const { page } = visit;
    await write(page, /^Description/, 'mine');
    await update({ description: 'theirs' });
    await press(page, /^Save changes/);
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    await dialog.waitFor();
    expect(await dialog.getByRole('row').last().innerText()).toMatch(/mine\s+theirs\s+for the edge/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Description').inputValue()).toBe('mine');
    expect((await held()).description).toBe('theirs');

    await press(page, /^Save changes/);
    await press(page, /^Keep mine/);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await held()).description).toBe('mine');

    await write(page, /^Description/, 'mine again');
    await update({ description: 'theirs again' });
    await press(page, /^Save changes/);
    await press(page, /^Take theirs/);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('theirs again');
    expect((await held()).description).toBe('theirs again');
  });

  test('web: a change between reading and saving is refused by the server, read again, and asked about', async () => {
    const { page } = visit;
    await write(page, /^Description/, 'mine at last');
    let isFirst = true;
    const answers: number[] = [];
    await page.route(`**/workspaces/${id}`, async route => {
      if (route.request().method() === 'PATCH' && isFirst) {
        isFirst = false;
        await update({ description: 'in between' });
      }
      const response = await route.fetch();
      if (route.request().method() === 'PATCH') answers.push(response.status());
      await route.fulfill({ response });
    });
    await press(page, /^Save changes/);
    await page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' }).waitFor();
    expect((await held()).description).toBe('in between');
    await press(page, /^Keep mine/);
    await expect.poll(async () => (await held()).description).toBe('mine at last');
    expect(answers).toEqual([412, 200]);
    await page.unroute(`**/workspaces/${id}`);
  });

  test('web: leaving without saving saves nothing', async () => {
    const { page } = visit;
    await write(page, /^Description/, 'never');
    await page.getByRole('link', { name: 'Projects' }).click();
    await press(page, /^Leave without saving/);
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    expect((await held()).description).toBe('mine at last');
  });

  test('web: variables, tags, and the access of teams ask as well', async () => {
    const { page } = visit;
    const { token } = site.owner;
    const variables = `workspaces/${id}/vars`;
    const made = await site.app.post(
      variables,
      token,
      bodyOf('vars', { key: 'region', value: 'eu', category: 'terraform' }),
    );
    await page.goto('/app/globex/workspaces/gateway/variables');
    await press(page, /^Edit region/);
    await write(page, /^Value/, 'mine');
    await site.app.patch(`${variables}/${made.data.id}`, token, bodyOf('vars', { value: 'theirs', hcl: true }));
    await press(page, /^Save changes/);
    await takeMine(page);
    const variable = async () => (await site.app.get(`${variables}/${made.data.id}`, token)).data.attributes;
    await expect.poll(variable).toMatchObject({ value: 'mine', hcl: true });

    const bind = (value: string) =>
      site.app.patch(`workspaces/${id}/tag-bindings`, token, {
        data: [{ type: 'tag-bindings', attributes: { key: 'env', value } }],
      });
    await bind('test');
    await page.goto('/app/globex/workspaces/gateway/settings/tags');
    await press(page, /^Manage tags/);
    await write(page, /^Value 1/, 'mine');
    await bind('theirs');
    await press(page, /^Save changes/);
    await takeMine(page);
    const bindings = async () => (await site.app.get(`workspaces/${id}/tag-bindings`, token)).data;
    await expect.poll(async () => (await bindings())[0].attributes.value).toBe('mine');

    const team = await site.app.post('organizations/globex/teams', token, bodyOf('teams', { name: 'network' }));
    const granted = await site.app.post('team-workspaces', token, {
      data: {
        type: 'team-workspaces',
        attributes: { access: 'read' },
        relationships: {
          team: { data: { type: 'teams', id: team.data.id } },
          workspace: { data: { type: 'workspaces', id } },
        },
      },
    });
    const access = `team-workspaces/${granted.data.id}`;
    // Nobody tells this screen of it before it saves.
    await page.route('**/changes', route => route.abort());
    await page.goto('/app/globex/workspaces/gateway/settings/team-access');
    await page.getByRole('combobox', { name: 'Access: network' }).click();
    await site.app.patch(access, token, bodyOf('team-workspaces', { access: 'plan' }));
    await page.getByRole('option', { name: 'Admin', exact: true }).click();
    await takeMine(page);
    await expect.poll(async () => (await site.app.get(access, token)).data.attributes.access).toBe('admin');
    expect(visit.complaints).toEqual([]);
  });

  test('web: tags of a project that change between the last look and the change are not lost', async () => {
    const { page } = visit;
    const { token } = site.owner;
    const [project] = (await site.app.get('organizations/globex/projects?q=Default', token)).data;
    const bind = (value: string) =>
      site.app.patch(`projects/${project.id}/tag-bindings`, token, {
        data: [{ type: 'tag-bindings', attributes: { key: 'env', value } }],
      });
    await bind('test');
    await page.goto(`/app/globex/projects/${project.id}?tab=settings`);
    await press(page, /^Manage tags…$/);
    await write(page, /^Value 1/, 'mine');
    await page.route('**/relationships/tag-bindings', async route => {
      await bind('theirs');
      await page.unroute('**/relationships/tag-bindings');
      await route.continue();
    });
    await press(page, /^Save changes/);
    await takeMine(page);
    const bindings = async () => (await site.app.get(`projects/${project.id}/tag-bindings`, token)).data;
    await expect.poll(async () => (await bindings())[0].attributes.value).toBe('mine');
  });

  test('web: who was faster with the lock is named, and the reason stays to be copied', async () => {
    const { page } = visit;
    await page.goto('/app/globex/workspaces/gateway');
    await press(page, /^Lock…/);
    await write(page, /^Reason/, 'Moving the primary');
    const team = (await site.app.get('organizations/globex/teams?q=network', site.owner.token)).data[0];
    const made = await site.app.post(`teams/${team.id}/authentication-token`, site.owner.token);
    await site.app.post(`workspaces/${id}/actions/lock`, made.data.attributes.token, { reason: 'first' });
    await press(page, /^Lock workspace/);
    await page.getByText('network locked it a moment ago').waitFor();
    expect(await page.getByLabel(/^Reason/).inputValue()).toBe('Moving the primary');
    await page.keyboard.press('Escape');
    await page.getByText('Locked by network').waitFor();
    await site.app.post(`workspaces/${id}/actions/force-unlock`, site.owner.token);
  });

  test('web: a lock is drawn at once: with the end of its dialog, and before the server has answered', async () => {
    const { page } = visit;
    let answer: () => void = () => {};
    const answered = new Promise<void>(resolve => {
      answer = resolve;
    });
    await page.route('**/actions/lock', async route => {
      await answered;
      await route.continue();
    });
    await page.goto('/app/globex/workspaces/gateway');
    await press(page, /^Lock…/);
    // A task that is queued with the click comes before any timer that the click sets.
    await page.evaluate(`
      addEventListener('click', () => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const words = document.body.textContent;
          window.drawn = { dialog: words.includes('Lock workspace'), lock: words.includes('Locked by you') };
        };
        port2.postMessage('');
      }, { capture: true, once: true });`);
    await press(page, /^Lock workspace/);
    await page.waitForFunction('window.drawn');
    expect(await page.evaluate('window.drawn')).toEqual({ dialog: false, lock: true });
    answer();
    await expect.poll(async () => (await held()).locked).toBe(true);
    await page.unroute('**/actions/lock');
    await site.app.post(`workspaces/${id}/actions/unlock`, site.owner.token);
  });

  test('web: a state that is still being saved is waited for, second by second, and Stop leaves the lock', async () => {
    const { page } = visit;
    const { token } = site.owner;
    const lock = () => site.app.post(`workspaces/${id}/actions/lock`, token, {});
    await lock();
    const serial = { serial: 1, md5: '0'.repeat(32), lineage: 'one' };
    await site.app.post(`workspaces/${id}/state-versions`, token, bodyOf('state-versions', serial));
    await page.goto('/app/globex/workspaces/gateway');
    await press(page, /^Unlock$/);
    await page.getByText('Its state is still being saved. Trying again in').waitFor();
    await press(page, /^Stop/);
    await page.getByText('Locked by you').waitFor();
    expect((await held()).locked).toBe(true);
  });
});

async function takeMine(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' }).waitFor();
  await press(page, /^Keep mine/);
}
