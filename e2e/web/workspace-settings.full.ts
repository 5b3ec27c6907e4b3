/** What a workspace takes from its project, and has of its own: set by hand, and read by the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, member, team } from '../../test/builders/records.ts';
import { stateClient, stateOf } from '../../test/builders/state.ts';
import { workspace, workspaceAccess } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, settled, signIn, type Visit } from './browser.ts';
import { pick, press, write } from './hands.ts';
import { cutIn } from './narrow.ts';

describe.skipIf(!chromiumPath)('the settings of a workspace', () => {
  let site: Site;
  let visit: Visit;
  let id: string;
  let inside: string;
  let project: string;
  const shown = async () => (await site.app.get(`workspaces/${id}`, site.owner.token)).data;
  beforeAll(async () => {
    site = await openSite();
    id = await workspace(site.app, site.organization);
    inside = `/app/globex/workspaces/${(await shown()).attributes.name}/settings`;
    const body = bodyOf('projects', { name: 'payments' });
    project = (await site.app.post('organizations/globex/projects', site.owner.token, body)).data.id;
    visit = await site.open();
    await signIn(visit.page, site.owner, `${inside}/general`);
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('§4.2 it has a mode of its own, follows its project again, and moves to another one', async () => {
    const { page, complaints } = visit;
    const save = async () => {
      await press(page, /^Save changes$/);
      await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
    };
    await pick(page, /^Execution mode/, 'Local');
    await save();
    expect((await shown()).attributes).toMatchObject({
      'execution-mode': 'local',
      'setting-overwrites': { 'execution-mode': true },
    });
    await pick(page, /^Execution mode/, 'As its project says');
    await pick(page, /^Project/, 'payments');
    await write(page, /^Description/, 'Moved');
    await save();
    const { attributes, relationships } = await shown();
    expect(attributes).toMatchObject({ description: 'Moved', 'setting-overwrites': { 'execution-mode': false } });
    expect(relationships.project.data.id).toBe(project);
    expect(complaints).toEqual([]);
  });

  test('§4.2 it is destroyed after a time without a change, or at a moment, or as its project says', async () => {
    const { page } = visit;
    await page.goto(`${inside}/deletion`);
    await write(page, /^After this time/, 'soon');
    await press(page, /^Save changes$/);
    await page.getByText('has an incorrect format').first().waitFor();
    await write(page, /^After this time/, '14d');
    await press(page, /^Save changes$/);
    await expect.poll(async () => (await shown()).attributes['auto-destroy-activity-duration']).toBe('14d');
    await write(page, /^At this time/, '2031-05-01T08:30');
    await press(page, /^Save changes$/);
    await expect.poll(async () => (await shown()).attributes['auto-destroy-at']).toBe('2031-05-01T08:30:00.000Z');
    await page.getByRole('switch', { name: 'As its project says' }).check();
    await press(page, /^Save changes$/);
    await expect.poll(async () => (await shown()).attributes['inherits-project-auto-destroy']).toBe(true);
    expect((await shown()).attributes['auto-destroy-at']).toBe(null);
  });

  test('§5.4 it says who may do what, person by person, and through which team', async () => {
    const { page, complaints } = visit;
    const { app, organization, owner } = site;
    const teamId = await team(app, organization);
    const someone = await member(app, organization, teamId);
    await workspaceAccess(app, teamId, id, 'plan');
    const { name } = (await app.get(`teams/${teamId}`, owner.token)).data.attributes;
    await page.goto(`${inside}/team-access`);
    await page.getByRole('row', { name: new RegExp(`${owner.username}.*owners \\(ownership\\)`) }).waitFor();
    expect(await page.getByRole('row', { name: someone.username }).count()).toBe(0);
    await pick(page, /^Who may what/, 'start a plan');
    await page.getByRole('row', { name: new RegExp(`${someone.username}.*${name} \\(the workspace\\)`) }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('§5.4 nobody is offered to give the owners what they have anyway, in a workspace and in a project', async () => {
    const { page } = visit;
    const teamId = await team(site.app, site.organization);
    const { name } = (await site.app.get(`teams/${teamId}`, site.owner.token)).data.attributes;
    for (const address of [`${inside}/team-access`, `/app/globex/projects/${project}?tab=access`]) {
      await page.goto(address);
      await press(page, /^Add team…/);
      await page.getByRole('dialog').getByLabel('Team').first().click();
      await page.getByRole('option', { name, exact: true }).waitFor();
      expect(await page.getByRole('option', { name: 'owners', exact: true }).count()).toBe(0);
    }
  });

  test('web: at 768 px what stands beside on a wide screen stands below, and nothing is cut', async () => {
    const { page } = visit;
    await page.setViewportSize({ width: 768, height: 1000 });
    await page.goto(inside.replace('/settings', ''));
    await settled(page);
    expect(await cutIn(page)).toEqual([]);
    const lefts = await page.evaluate(
      `[...document.querySelector('.columns').children].map(part => part.getBoundingClientRect().left)`,
    );
    expect(new Set(lefts as number[]).size).toBe(1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test('§3 what manages something offers a run that destroys it, and no delete that would be refused', async () => {
    const { page } = visit;
    const managing = await workspace(site.app, site.organization, { name: 'managing' });
    const states = stateClient(site.app, managing, site.owner.token);
    await states.lock();
    await states.push(stateOf({ resources: 2 }));
    await states.unlock();
    await page.goto('/app/globex/workspaces/managing/settings/deletion');
    await page.getByText('It manages 2 resources.').waitFor();
    await page.getByRole('button', { name: 'Force delete…' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete workspace…' }).count()).toBe(0);
    await press(page, /^Destroy resources…/);
    const destroy = page.getByRole('alertdialog', { name: 'New run' });
    await destroy.getByRole('radio', { name: /^Destroy/, checked: true }).waitFor();
    // Another kind ends nothing, and is no alert.
    await destroy.getByRole('radio', { name: /^Plan only/ }).check();
    await page.getByRole('dialog', { name: 'New run' }).waitFor();
  });

  test('§4.3 the address of a former name leads to the workspace as it is called now', async () => {
    const { page } = visit;
    await site.app.patch(`workspaces/${id}`, site.owner.token, bodyOf('workspaces', { name: 'renamed' }));
    await page.goto(`${inside}/locking`);
    await page.waitForURL('**/workspaces/renamed/settings/locking');
    await page.getByRole('heading', { name: 'renamed' }).waitFor();
    await page.goto('/app/globex/workspaces/there-was-none');
    await page.getByText('Nothing here, or nothing that you may see').waitFor();
  });
});
