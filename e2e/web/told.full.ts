/** Whoever is told of what happens in a workspace, and the services that its runs are shown to: set up by hand, to the end. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workOffClaims } from '../../src/core/claims.ts';
import { deliveries } from '../../src/runs/notification-configurations/deliver.ts';
import { askingTasks } from '../../src/runs/task-results/ask.ts';
import { type Receiver, reachable, receiver } from '../../test/builders/receiver.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { run } from '../../test/builders/run.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { pick, press, write } from './hands.ts';

describe.skipIf(!chromiumPath)('who is told and asked', () => {
  let site: Site;
  let visit: Visit;
  let hook: Receiver;
  let workspaceId: string;
  let inside: string;
  beforeAll(async () => {
    site = await openSite(reachable);
    hook = await receiver();
    workspaceId = await workspace(site.app, site.organization);
    const { data } = await site.app.get(`workspaces/${workspaceId}`, site.owner.token);
    inside = `/app/globex/workspaces/${data.attributes.name}`;
    visit = await site.open();
    await signIn(visit.page, site.owner, `${inside}/settings/notifications`);
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
    hook?.close();
  });

  test('web: a webhook is refused at its address until it answers, tried, changed, switched off and deleted', async () => {
    const { page, complaints } = visit;
    await page.getByText('Nobody is told yet').waitFor();
    await press(page, /^New notification…$/);
    await write(page, /^Name/, 'pager');
    await write(page, /^Address/, 'no address');
    await press(page, /^Create notification$/);
    await page.getByRole('dialog').getByText('must be an http or https URL').first().waitFor();
    expect(await page.getByRole('textbox', { name: /^Address/ }).getAttribute('aria-invalid')).toBe('true');
    hook.answer(500);
    await write(page, /^Address/, hook.url);
    await write(page, /^Signing token/, 'a shared secret');
    await press(page, /^Create notification$/);
    await page.getByRole('dialog').getByText('it answered 500').first().waitFor();
    hook.answer(200, 'welcome');
    hook.received.length = 0;
    await press(page, /^Create notification$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [trial] = hook.received;
    expect(trial!.headers['x-tfe-notification-signature']).toBe(
      createHmac('sha512', 'a shared secret').update(trial!.text).digest('hex'),
    );
    await press(page, /^pager$/);
    await page.getByRole('heading', { name: 'Sent by pager' }).waitFor();
    await page.getByText('taken', { exact: true }).click();
    await page.getByRole('region', { name: 'What was answered' }).getByText('welcome').waitFor();
    await page.waitForURL(/\?open=nc-\w+$/);

    hook.answer(503, 'not now');
    await press(page, /^Actions for pager$/);
    await page.getByRole('menuitem', { name: 'Send a trial' }).click();
    await page.getByText('it answered 503').waitFor();
    hook.answer(200);
    await press(page, /^Actions for pager$/);
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    expect(await page.getByLabel('Signing token', { exact: true }).inputValue()).toBe('');
    await write(page, /^Name/, 'pager of the night');
    await page.getByLabel('A run is created').check();
    hook.received.length = 0;
    await press(page, /^Save changes$/);
    await page.getByRole('button', { name: 'pager of the night', exact: true }).waitFor();
    await page.getByText('3 events').waitFor();
    // Only what changed is sent, which is no reason to try the address again.
    expect(hook.received).toEqual([]);
    await press(page, /^Actions for pager of the night$/);
    await page.getByRole('menuitem', { name: 'Send a trial' }).click();
    await expect.poll(() => hook.received.length, { timeout: 10_000 }).toBe(1);
    // What nobody typed again is still there.
    expect(hook.received.at(-1)!.headers['x-tfe-notification-signature']).toMatch(/^[0-9a-f]{128}$/);
    hook.answer(500);
    await run(site.app, site.organization, workspaceId);
    const sender = { store: site.app.store, config: site.app.config, publicUrl: 'https://terrane.example' };
    await workOffClaims(deliveries(() => sender));
    await page.reload();
    await page.getByText('last one failed').waitFor();
    await page.getByText('not taken', { exact: true }).waitFor();
    hook.answer(200);
    await press(page, /^Actions for pager/);
    await page.getByRole('menuitem', { name: 'Turn off' }).click();
    await page.getByText('off', { exact: true }).waitFor();
    await press(page, /^Actions for pager/);
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await press(page, /^Delete notification$/);
    await page.getByText('Nobody is told yet').waitFor();
    expect(complaints).toEqual([]);
  });

  test('web: letters go to members and to others, and an address that is none is refused at its field', async () => {
    const { page } = visit;
    await page.goto(`${inside}/settings/notifications`);
    await press(page, /^New notification…$/);
    await write(page, /^Name/, 'letters');
    await pick(page, /^Sent to/, 'Mail');
    await page.getByRole('combobox', { name: 'Members' }).click();
    await page.getByRole('option', { name: site.owner.email }).click();
    await page.keyboard.press('Tab');
    await write(page, /^Other addresses/, 'oncall@ops.example\nnobody');
    await press(page, /^Create notification$/);
    await page.getByText('is not an e-mail address').first().waitFor();
    expect(await page.getByRole('textbox', { name: /^Other addresses/ }).getAttribute('aria-invalid')).toBe('true');
    await write(page, /^Other addresses/, 'oncall@ops.example\n');
    await press(page, /^Create notification$/);
    await page.getByText('Mail to 2 people').waitFor();
  });

  test('web: a project tells of all its workspaces, and what another session changes shows without reload', async () => {
    const { page, complaints } = visit;
    const { app, owner, organization } = site;
    const kind = 'notification-configurations';
    hook.answer(200);
    await page.goto(`/app/globex/projects/${organization.projectId}`);
    await press(page, /^Notifications$/);
    await page.getByText('Nobody is told yet').waitFor();
    await press(page, /^New notification…$/);
    await write(page, /^Name/, 'operations');
    await write(page, /^Address/, hook.url);
    await press(page, /^Create notification$/);
    await press(page, /^operations$/);
    await page.getByRole('heading', { name: 'Sent by operations' }).waitFor();
    await page.waitForURL(/\?tab=notifications&open=nc-\w+$/);
    const [made] = (await app.get(`projects/${organization.projectId}/${kind}`, owner.token)).data;
    await app.patch(`${kind}/${made.id}`, owner.token, bodyOf(kind, { name: 'everybody' }));
    await page.getByRole('button', { name: 'everybody', exact: true }).waitFor();
    await app.delete(`${kind}/${made.id}`, owner.token);
    await page.getByText('Nobody is told yet').waitFor();
    expect(complaints).toEqual([]);
  });

  test('web: a run task is set up for the organization, asked by a workspace, and what it says stands in the run', async () => {
    const { page, complaints } = visit;
    const { app, owner, organization } = site;
    // Of its own: where a run is under way already, another one waits.
    const asking = await workspace(app, organization);
    const within = `/app/globex/workspaces/${(await app.get(`workspaces/${asking}`, owner.token)).data.attributes.name}`;
    await page.goto('/app/globex/settings/run-tasks');
    await press(page, /^New run task…$/);
    await write(page, /^Name/, 'scan');
    hook.answer(404);
    await write(page, /^Address/, hook.url);
    await press(page, /^Create run task$/);
    await page.getByText('does not take a trial request').first().waitFor();
    expect(await page.getByRole('textbox', { name: /^Address/ }).getAttribute('aria-invalid')).toBe('true');
    hook.answer(200);
    await press(page, /^Create run task$/);
    await page.getByText('scan', { exact: true }).waitFor();

    await page.goto(`${within}/settings/run-tasks`);
    await press(page, /^Ask a run task…$/);
    await pick(page, /^Run task$/, 'scan');
    await page.getByLabel('After the plan').uncheck();
    await page.getByLabel('After the apply').check();
    await pick(page, /^If it says no/, 'Stop the run');
    await press(page, /^Ask run task$/);
    await page.getByText('must be advisory for the stage post_apply').first().waitFor();
    await page.getByLabel('After the apply').uncheck();
    await page.getByLabel('Before the plan').check();
    await press(page, /^Ask run task$/);
    await page.getByRole('row', { name: /scan.*Before the plan.*Stop the run/ }).waitFor();

    const id = await run(app, organization, asking);
    hook.received.length = 0;
    const publicUrl = 'https://terrane.example';
    await workOffClaims(askingTasks(() => ({ store: app.store, config: app.config, publicUrl })));
    await page.goto(`${within}/runs/${id}`);
    const said = page.getByRole('region', { name: 'Before the plan' });
    await said.getByText(/^(waits|at work)$/).waitFor();
    const asked = hook.received.pop()!.json;
    const path = asked.task_result_callback_url.replace(`${publicUrl}/api/v2/`, '');
    const say = { status: 'failed', message: 'Two open ports', url: 'https://scan.example/1' };
    await app.patch(path, asked.access_token, bodyOf('task-results', say));
    // Nobody reloads: the answer comes from outside while somebody looks.
    await said.getByText('failed', { exact: true }).waitFor();
    await said.getByText('Two open ports').waitFor();
    expect(await said.getByRole('link', { name: 'Details' }).getAttribute('href')).toBe('https://scan.example/1');

    await page.goto(`${within}/settings/run-tasks`);
    await press(page, /^Actions for scan$/);
    await page.getByRole('menuitem', { name: 'Ask no more…' }).click();
    await press(page, /^Ask no more$/);
    await page.getByText('No service sees its runs').waitFor();
    expect((await app.get(`workspaces/${asking}/tasks`, owner.token)).data).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
