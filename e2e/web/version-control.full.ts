/** What people see and set of version control, and of run tasks that are asked everywhere: by hand, and read by the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workOffClaims } from '../../src/core/claims.ts';
import { newId } from '../../src/core/store/ids.ts';
import { row } from '../../src/core/store/store.ts';
import { repositoryEvents } from '../../src/runs/repository-events/work-off.ts';
import { keepReadme } from '../../src/workspaces/readmes/workspace-readme.ts';
import { type Receiver, reachable, receiver } from '../../test/builders/receiver.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { run } from '../../test/builders/run.ts';
import { pushOf, sendSigned } from '../../test/builders/webhook.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';
import { pick, press, write } from './hands.ts';

describe.skipIf(!chromiumPath)('version control, and tasks for all workspaces', () => {
  let site: Site;
  let visit: Visit;
  let hook: Receiver;
  let id: string;
  let inside: string;
  const read = async (path: string) => (await site.app.get(path, site.owner.token)).data;
  const save = async () => {
    await press(visit.page, /^Save changes$/);
    await visit.page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'detached' });
  };
  beforeAll(async () => {
    site = await openSite(reachable);
    hook = await receiver();
    id = await workspace(site.app, site.organization, { name: 'gateway' });
    inside = '/app/globex/workspaces/gateway';
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/globex/settings/run-tasks');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
    hook?.close();
  });

  test('§1 a run task is asked in every workspace, in some stages, and then in chosen ones alone', async () => {
    const { page, complaints } = visit;
    await press(page, /^New run task…$/);
    await write(page, /^Name/, 'scan');
    await write(page, /^Address/, hook.url);
    await page.getByRole('switch', { name: 'Ask in every workspace' }).check();
    await pick(page, /^Asked/, 'Before the plan');
    await pick(page, /^If it says no/, 'Stop the run');
    await press(page, /^Create run task$/);
    await page.getByText('every workspace', { exact: true }).waitFor();
    const [task] = await read('organizations/globex/tasks');
    const wanted = { enabled: true, stages: ['post_plan', 'pre_plan'], 'enforcement-level': 'mandatory' };
    expect(task.attributes['global-configuration']).toEqual(wanted);

    await page.goto(`${inside}/settings/run-tasks`);
    await page.getByText('The organization asks in every workspace: scan.').waitFor();

    await page.goto('/app/globex/settings/run-tasks');
    await press(page, /^Actions for scan$/);
    await page.getByRole('menuitem', { name: 'Edit…' }).click();
    await page.getByRole('switch', { name: 'Ask in every workspace' }).uncheck();
    await save();
    await page.getByText('every workspace', { exact: true }).waitFor({ state: 'detached' });
    const { attributes } = await read(`tasks/${task.id}`);
    expect(attributes['global-configuration']).toEqual({ ...wanted, enabled: false });
    expect(complaints).toEqual([]);
  });

  test('§4.2 a workspace is linked to a repository, and says what begins its runs', async () => {
    const { page, complaints } = visit;
    const connection = {
      name: 'forge',
      'service-provider': 'gitea',
      'http-url': 'https://forge.example',
      'api-url': 'https://forge.example/api/v1',
      'oauth-token-string': 'a secret',
    };
    await site.app.post('organizations/globex/oauth-clients', site.owner.token, bodyOf('oauth-clients', connection));
    await page.goto(`${inside}/settings/version-control`);
    await pick(page, /^Connection/, 'forge');
    await write(page, /^Repository/, 'acme/../net');
    await press(page, /^Save changes$/);
    await page.getByText('without . or .. among its parts').waitFor();
    await write(page, /^Repository/, 'acme/net');
    await write(page, /^Branch/, 'main');
    await page.getByRole('switch', { name: 'Plan pull requests' }).uncheck();
    await page.getByRole('switch', { name: 'Run at once, and with every push' }).check();
    await write(page, /^Patterns/, '/modules/**/*.tf\n/main.tf');
    await save();
    const { attributes } = await read(`workspaces/${id}`);
    expect(attributes).toMatchObject({
      'speculative-enabled': false,
      'queue-all-runs': true,
      'trigger-patterns': ['/modules/**/*.tf', '/main.tf'],
      'vcs-repo': { identifier: 'acme/net', branch: 'main', 'service-provider': 'gitea' },
    });
    expect(complaints).toEqual([]);
  });

  test('§4.3 a run shows its commit, branch, pull request and sender, with links to the forge and to nothing else', async () => {
    const { page, complaints } = visit;
    const { app, organization } = site;
    const planned = await run(app, organization, id, { message: 'A gate', plan_only: true });
    const commit = {
      ...{ 'commit-sha': 'b'.repeat(40), 'commit-message': 'Open the gate\n\nSo that one can enter.' },
      ...{ 'commit-url': 'https://forge.example/acme/net/commit/b', identifier: 'acme/net', branch: 'gate' },
      ...{ 'is-pull-request': true, 'pull-request-number': 7, 'pull-request-title': 'A gate' },
      ...{ 'pull-request-url': 'https://forge.example/acme/net/pulls/7', 'sender-username': 'ann' },
      'sender-html-url': 'javascript:alert(1)',
    };
    const sql = app.store.read;
    await sql`
      update configuration_versions set ${row(sql, { ingress_attributes_id: newId('ia'), ingress_attributes: sql.json(commit) })}
      where configuration_versions.id = (select runs.configuration_version_id from runs where runs.id = ${planned})`;
    await page.goto(`${inside}/runs/${planned}`);
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Commit', exact: true }) });
    await card.getByText('Open the gate', { exact: true }).waitFor();
    const linkTo = (name: RegExp) => card.getByRole('link', { name }).getAttribute('href');
    expect(await linkTo(/^bbbbbbbb/)).toBe('https://forge.example/acme/net/commit/b');
    expect(await linkTo(/^#7 A gate/)).toBe('https://forge.example/acme/net/pulls/7');
    await card.getByText('ann', { exact: true }).waitFor();
    expect(await card.getByRole('link').count()).toBe(2);
    await page.getByText('gate bbbbbbbb').waitFor();
    expect(complaints).toEqual([]);
  });

  test('§4.2 a connection to a server is made, its webhook gets a secret, and what that was told is read with its reasons', async () => {
    const { page, complaints } = visit;
    await page.goto('/app/globex/settings/version-control');
    await press(page, /^New connection…$/);
    const heldBy = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await pick(page, /^Provider/, 'GitLab');
    expect(await heldBy('Address of its API')).toBe('https://gitlab.com/api/v4');
    await pick(page, /^Provider/, 'Forgejo');
    expect([await heldBy('Address'), await heldBy('Address of its API')]).toEqual(['', '']);
    await write(page, /^Address$/, 'https://git.example');
    expect(await heldBy('Address of its API')).toBe('https://git.example/api/v1');
    await pick(page, /^Provider/, 'Git, on a server of its own');
    await write(page, /^Address$/, 'https://git.example');
    await write(page, /^Name/, 'workshop');
    await write(page, /^Access token/, 'ann:a secret');
    await press(page, /^Create connection$/);
    await press(page, /^workshop$/);
    const found = await read('organizations/globex/oauth-clients');
    const made = found.find((one: { attributes: { name: string } }) => one.attributes.name === 'workshop');
    await page.getByText(`/webhooks/vcs/${made.id}`).waitFor();
    await page.getByText('Nothing was sent yet').waitFor();

    await press(page, /^Make secret$/);
    const first = await page.locator('.secret').innerText();
    await press(page, /^The webhook has it$/);
    expect((await sendSigned(site.app, made.id, first, pushOf('acme/unknown'))).status).toBe(202);
    await press(page, /^New secret…$/);
    await press(page, /^Make new secret$/);
    const second = await page.locator('.secret').innerText();
    await press(page, /^The webhook has it$/);
    expect(second).not.toBe(first);
    expect((await sendSigned(site.app, made.id, first, pushOf('acme/unknown'))).status).toBe(404);
    await workOffClaims(repositoryEvents(() => ({ store: site.app.store, config: site.app.config })));
    await page.getByText('began nothing').click();
    await page.getByText('No workspace is linked to acme/unknown through this connection.').waitFor();
    await page.getByText(/^push to main of acme\/unknown [0-9a-f]{8}$/).waitFor();

    const [{ id: token }] = made.relationships['oauth-tokens'].data;
    const repository = { 'vcs-repo': { 'oauth-token-id': token, identifier: 'acme/hall', branch: 'main' } };
    await site.app.patch(`workspaces/${id}`, site.owner.token, bodyOf('workspaces', repository));
    await sendSigned(site.app, made.id, second, pushOf('acme/hall'));
    await workOffClaims(repositoryEvents(() => ({ store: site.app.store, config: site.app.config })));
    await page.getByText('began 1 run').waitFor();
    await site.app.store.read`
      update configuration_versions set status = 'errored', error_message = 'The host does not know the token.'
      where configuration_versions.workspace_id = ${id}`;
    await page.getByText('could not fetch').click();
    await page.getByText('The host does not know the token.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('§2.2 readme: stands on the workspace, as text and never as markup', async () => {
    const { page, complaints } = visit;
    const markdown = [
      '# Gateway',
      'Who may **enter**, by <b onclick="alert(1)">law</b>. [The site](https://acme.example) [a script](javascript:alert(1))',
      '<script>alert(1)</script>',
      '| gate | open |\n|---|---|\n| north | yes |',
      '```hcl\nopen = true\n```',
    ].join('\n\n');
    await keepReadme(site.app.store.read, id, markdown);
    await page.goto(inside);
    const card = page.locator('.card', { has: page.getByRole('heading', { name: 'README', exact: true }) });
    await card.getByRole('heading', { name: 'Gateway' }).waitFor();
    await card.getByText('Who may enter, by law.').waitFor();
    await card.getByRole('cell', { name: 'north' }).waitFor();
    await card.getByText('open = true').waitFor();
    expect(await card.getByRole('link').evaluateAll(links => links.map(link => link.getAttribute('href')))).toEqual([
      'https://acme.example',
    ]);
    expect(await card.locator('script, b, img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
