/** What holds for an organization: set by hand, refused at the right field, and read by the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, team } from '../../test/builders/records.ts';
import { agentPool, workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { pick, press, write } from './hands.ts';

describe.skipIf(!chromiumPath)('the settings of an organization', () => {
  let site: Site;
  let visit: Visit;
  let gateway: string;
  const read = async (path: string) => (await site.app.get(path, site.owner.token)).data;
  const go = (page: string) => visit.page.goto(`/app/globex/settings/${page}`);
  const save = async () => {
    await press(visit.page, /^Save changes$/);
    await visit.page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
  };
  beforeAll(async () => {
    site = await openSite();
    gateway = await workspace(site.app, site.organization, { name: 'gateway' });
    await site.app.post('organizations/globex/projects', site.owner.token, bodyOf('projects', { name: 'payments' }));
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/globex/settings/ssh-keys');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('§4.2 an SSH key gets another name, and an agent pool another name and its projects', async () => {
    const { page, complaints } = visit;
    const { app, owner, organization } = site;
    await app.post('organizations/globex/ssh-keys', owner.token, bodyOf('ssh-keys', { name: 'modules', value: 'key' }));
    await page.reload();
    await press(page, /^Actions for modules$/);
    await page.getByRole('menuitem', { name: 'Rename…' }).click();
    await write(page, /^Name/, '');
    await press(page, /^Save changes$/);
    await page.locator('.mantine-InputWrapper-error').waitFor();
    await write(page, /^Name/, 'registry');
    await save();
    await page.getByText('registry', { exact: true }).waitFor();

    const pool = await agentPool(app, organization);
    const { name } = (await read(`agent-pools/${pool}`)).attributes;
    await go('agent-pools');
    await press(page, new RegExp(`^Actions for ${name}$`));
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await write(page, /^Name/, 'on-premises');
    await page.getByRole('switch', { name: 'Open to every workspace' }).uncheck();
    await pick(page, /^Projects/, 'payments');
    await save();
    await page.getByText('chosen projects').waitFor();
    const { attributes, relationships } = await read(`agent-pools/${pool}`);
    expect(attributes).toMatchObject({ name: 'on-premises', 'organization-scoped': false });
    expect(relationships['allowed-projects'].data).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  test('§4.2 an agent pool is opened to single workspaces and closed to others, and nothing of it is lost where another was faster', async () => {
    const { page, complaints } = visit;
    const { app, owner, organization } = site;
    const other = await workspace(app, organization, { name: 'ledger' });
    const pool = await agentPool(app, organization);
    const { name } = (await read(`agent-pools/${pool}`)).attributes;
    const places = async (kind: string) =>
      (await read(`agent-pools/${pool}`)).relationships[kind].data.map(({ id }: { id: string }) => id);
    const set = (kind: string, ids: readonly string[]) =>
      app.patch(`agent-pools/${pool}`, owner.token, {
        data: {
          type: 'agent-pools',
          attributes: { 'organization-scoped': false },
          relationships: { [kind]: { data: ids.map(id => ({ type: 'workspaces', id })) } },
        },
      });
    await set('allowed-workspaces', []);
    await go('agent-pools');
    await page.getByRole('button', { name, exact: true }).click();
    const card = page.locator('.card', { hasText: 'workspaces that may use it' });
    await card.getByText('No workspace has been chosen').waitFor();
    await card.getByRole('button', { name: 'Allow workspace…' }).click();
    await pick(page, /^Workspace/, 'gateway');
    // Chosen already elsewhere, while this dialog stood open.
    await set('allowed-workspaces', [other]);
    await press(page, /^Allow workspace$/);
    await card.getByRole('link', { name: 'gateway' }).waitFor();
    expect((await places('allowed-workspaces')).sort()).toEqual([gateway, other].sort());
    await card.getByRole('button', { name: 'Allow ledger no longer' }).click();
    await press(page, /^Take it off the list$/);
    await card.getByRole('link', { name: 'ledger' }).waitFor({ state: 'detached' });
    expect(await places('allowed-workspaces')).toEqual([gateway]);

    const closed = page.locator('.card', { hasText: 'workspaces that may not use it' });
    await closed.getByRole('button', { name: 'Keep workspace out…' }).click();
    await pick(page, /^Workspace/, 'ledger');
    await press(page, /^Keep workspace out$/);
    await closed.getByRole('link', { name: 'ledger' }).waitFor();
    expect(await places('excluded-workspaces')).toEqual([other]);
    expect(complaints).toEqual([]);
  });

  test('§4.2 a connection is changed without its token, asked about where another was faster, and gets a private key', async () => {
    const { page } = visit;
    const { app, owner } = site;
    const given = {
      name: 'forge',
      'service-provider': 'github',
      'http-url': 'https://github.com',
      'api-url': 'https://api.github.com',
      'oauth-token-string': 'a secret',
    };
    const made = await app.post('organizations/globex/oauth-clients', owner.token, bodyOf('oauth-clients', given));
    const path = `oauth-clients/${made.data.id}`;
    await go('version-control');
    await press(page, /^Actions for forge$/);
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await write(page, /^Name/, 'mine');
    await app.patch(path, owner.token, bodyOf('oauth-clients', { name: 'theirs' }));
    await press(page, /^Save changes$/);
    const conflict = page.getByRole('dialog', { name: 'Somebody else changed this meanwhile' });
    await conflict.getByRole('row', { name: /mine.*theirs.*forge/ }).waitFor();
    await press(page, /^Keep mine$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('mine', { exact: true }).waitFor();
    expect((await read(path)).attributes.name).toBe('mine');
    expect((await read(path)).relationships['oauth-tokens'].data).toHaveLength(1);
    await press(page, /^Actions for mine$/);
    await page.getByRole('menuitem', { name: 'Set private key…' }).click();
    await write(page, /^Private key/, 'a private key');
    await press(page, /^Set private key$/);
    await page.getByText('private key', { exact: true }).waitFor();
    await press(page, /^Actions for mine$/);
    await page.getByRole('menuitem', { name: 'Take private key away' }).click();
    await page.getByText('mine has no private key any more').waitFor();
  });

  test('§4.6 a reserved key is changed, and a flat tag says who uses it and comes off all of them', async () => {
    const { page } = visit;
    const { app, owner } = site;
    await app.post('organizations/globex/reserved-tag-keys', owner.token, bodyOf('reserved-tag-keys', { key: 'env' }));
    await app.post(`workspaces/${gateway}/relationships/tags`, owner.token, {
      data: [{ type: 'tags', attributes: { name: 'legacy' } }],
    });
    await go('tags');
    await press(page, /^Actions for env$/);
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await write(page, /^Key/, 'environment');
    await page.getByRole('switch', { name: 'Workspaces may not replace the project’s value' }).check();
    await save();
    await expect
      .poll(async () => (await read('organizations/globex/reserved-tag-keys'))[0].attributes)
      .toMatchObject({ key: 'environment', 'disable-overrides': true });
    await page.getByRole('textbox', { name: 'Find a tag' }).fill('nothing');
    await page.getByText('Nothing matches these filters').waitFor();
    await press(page, /^Clear all filters$/);
    await press(page, /^1 workspace$/);
    await page.getByRole('link', { name: 'gateway' }).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('legacy');
    await go('tags');
    await press(page, /^Delete legacy$/);
    await press(page, /^Delete tag$/);
    await page.getByText('No flat tag').waitFor();
    expect((await read(`workspaces/${gateway}`)).attributes['tag-names']).toEqual([]);
  });

  test('§5.6 the tokens of all teams stand in one list, and what the organization can do in another', async () => {
    const { page } = visit;
    const { app, owner, organization } = site;
    const teamId = await team(app, organization);
    const described = bodyOf('authentication-tokens', { description: 'nightly build', 'expired-at': null });
    await app.post(`teams/${teamId}/authentication-tokens`, owner.token, described);
    const { name } = (await read(`teams/${teamId}`)).attributes;
    await go('tokens');
    await page.getByRole('row', { name: new RegExp(`nightly build.*${name}`) }).waitFor();
    await go('general');
    await page.getByText('audit-logging', { exact: true }).waitFor();
    expect(await page.getByText('sentinel', { exact: true }).count()).toBe(0);
  });

  test('§5.6 tokens may live so many days, and a life that is none is refused at its field', async () => {
    const { page } = visit;
    await go('tokens');
    await page.getByRole('switch', { name: 'Limit how long tokens may live' }).check();
    await write(page, /^Days of tokens of teams/, '0');
    await press(page, /^Save changes$/);
    const field = page.getByRole('textbox', { name: 'Days of tokens of teams' });
    await expect.poll(() => field.getAttribute('aria-invalid'), { timeout: 10_000 }).toBe('true');
    await write(page, /^Days of tokens of teams/, '30');
    await save();
    const lives = await read('organizations/globex/token-ttl-policies');
    const ofTeams = lives.find((life: { attributes: object }) => 'team' === (life.attributes as never)['token-type']);
    expect(ofTeams.attributes['max-ttl-ms']).toBe(30 * 86_400_000);
    expect((await read('organizations/globex')).attributes['max-ttl-enabled']).toBe(true);
  });

  test('§6 the events of the organization leave the audit trail', async () => {
    const { page } = visit;
    await go('audit');
    await page.getByText('In it since').waitFor();
    await page.getByRole('switch', { name: 'Events go into the audit trail' }).uncheck();
    await save();
    await page.getByText('Left out since').waitFor();
    expect((await read('organizations/globex/audit-configuration')).attributes['audit-trails'].enabled).toBe(false);
  });

  test('§4.7 a first policy is made where there is none, others are asked about, and it is taken away again', async () => {
    const { page } = visit;
    const policy = 'organizations/globex/relationships/data-retention-policy';
    await go('retention');
    await page.getByRole('radio', { name: 'Delete what is older than' }).check();
    await write(page, /^Days/, '30');
    await press(page, /^Save changes$/);
    await page.getByText('Now: deleted after 30 days.').waitFor();
    await page.goto('/app/globex/workspaces/gateway/settings/retention');
    expect(await page.getByRole('radio', { name: 'As the organization says' }).isChecked()).toBe(true);

    // Nobody tells this screen of it before it saves.
    await page.route('**/changes', route => route.abort());
    await go('retention');
    await write(page, /^Days/, '60');
    const older = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 7 });
    await site.app.post(policy, site.owner.token, older);
    await press(page, /^Save changes$/);
    await page.getByRole('row', { name: /60 days.*7 days.*30 days/ }).waitFor();
    await press(page, /^Take theirs$/);
    await expect.poll(() => page.getByLabel('Days').inputValue(), { timeout: 10_000 }).toBe('7');
    await page.getByRole('radio', { name: 'No policy: everything is kept' }).check();
    await press(page, /^Save changes$/);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await site.app.get(policy, site.owner.token)).status).toBe(404);
    await page.unroute('**/changes');
  });

  test('§4.6 a project has tags, which its workspaces inherit', async () => {
    const { page } = visit;
    const { data: project } = { data: (await read('organizations/globex/projects?q=Default'))[0] };
    await page.goto(`/app/globex/projects/${project.id}?tab=settings`);
    await press(page, /^Manage tags…$/);
    await write(page, /^Key 1/, 'env');
    await write(page, /^Value 1/, 'production');
    await press(page, /^Save changes$/);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('production').first().waitFor();
    const [effective] = await read(`workspaces/${gateway}/effective-tag-bindings`);
    expect(effective.attributes).toMatchObject({ key: 'env', value: 'production' });
  });

  test('§1 a site administrator gives an organization a feature set, and one that is not there is refused', async () => {
    const { page, complaints } = visit;
    await site.app.store.read`update users set is_admin = true where users.id = ${site.owner.id}`;
    await page.goto('/app/~/admin/feature-sets');
    const business = page.getByRole('row', { name: /Business/ });
    await business.getByRole('button', { name: 'Give to an organization…' }).click();
    await write(page, /^Organization/, 'nobody');
    await press(page, /^Give feature set$/);
    await page.getByRole('dialog').getByText('This is gone, or your access to it is').waitFor();
    // Those that the administrator may see are offered.
    await write(page, /^Organization/, 'glo');
    await page.getByRole('option', { name: 'globex', exact: true }).click();
    await press(page, /^Give feature set$/);
    await page.getByText('globex has Business').waitFor();
    expect((await read('organizations/globex/entitlement-set')).attributes['vcs-integrations']).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('§1 the own profile asks where another session was faster', async () => {
    const { page } = visit;
    const rename = (username: string) =>
      site.app.patch('account/update', site.owner.token, bodyOf('users', { username }));
    await page.goto('/app/~/settings/profile');
    await page.getByLabel('Username').waitFor();
    let isFirst = true;
    await page.route('**/account/update', async route => {
      // Between its reading and its saving: the server refuses, and it reads once more.
      if (isFirst) await rename('from-elsewhere');
      isFirst = false;
      await route.continue();
    });
    await write(page, /^Username/, 'from-here');
    await press(page, /^Save changes$/);
    await page.getByRole('row', { name: /from-here.*from-elsewhere/ }).waitFor();
    await press(page, /^Keep mine$/);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect((await read('account/details')).attributes.username).toBe('from-here');
  });
});
