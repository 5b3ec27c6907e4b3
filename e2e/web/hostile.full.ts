/** What somebody typed is text wherever it is shown: no field can make a page do anything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, openSite, type Site, signIn } from './browser.ts';
import { type Seeded, screensOf, seedSite } from './seeded.ts';

const payload = `<img src=x onerror="window.executed=1"><script>window.executed=1</script>"'\`};window.executed=1//javascript:window.executed=1`;

describe.skipIf(!chromiumPath)('hostile texts', () => {
  let site: Site;
  let seeded: Seeded;
  beforeAll(async () => {
    site = await openSite();
    seeded = await seedSite(site, 30);
    const { app, owner } = site;
    const { token } = owner;
    const { workspaceId: id } = seeded;
    const put = (path: string, type: string, attributes: object) =>
      app.patch(path, token, { data: { type, attributes } });
    const make = (path: string, type: string, attributes: object) =>
      app.post(path, token, { data: { type, attributes } });
    const answers = [
      await put(`workspaces/${id}`, 'workspaces', {
        description: payload,
        'working-directory': 'a/b',
        'source-name': payload.slice(0, 200),
      }),
      await app.post(`workspaces/${id}/actions/lock`, token, { reason: payload }),
      await put(`projects/${seeded.project}`, 'projects', { description: payload.slice(0, 250) }),
      await make(`workspaces/${id}/vars`, 'vars', {
        key: 'hostile',
        value: payload,
        category: 'terraform',
        description: payload,
      }),
      await make('organizations/globex/varsets', 'varsets', { name: payload.slice(0, 200), description: payload }),
      await make('organizations/globex/ssh-keys', 'ssh-keys', { name: payload.slice(0, 200), value: payload }),
      await make(`teams/${seeded.team}/authentication-tokens`, 'authentication-tokens', { description: payload }),
      await make(`users/${owner.id}/authentication-tokens`, 'authentication-tokens', { description: payload }),
      await make('organizations/globex/organization-memberships', 'organization-memberships', {
        email: `"<b>"@example.com`,
      }),
      await put(`teams/${seeded.team}`, 'teams', { 'sso-team-id': payload.slice(0, 200) }),
    ];
    // Each was taken, or refused as what it is: none may fail.
    expect(answers.map(({ status }) => status).filter(status => status >= 500)).toEqual([]);
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(6);
  });
  afterAll(() => site?.close());

  test('web: no text that somebody typed is executed on any screen', async () => {
    const { page, complaints, close } = await site.open();
    await signIn(page, site.owner);
    const executed: string[] = [];
    for (const [name, address] of Object.entries(screensOf('globex', seeded))) {
      await page.goto(address);
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
      if (await page.evaluate('Boolean(window.executed)')) executed.push(name);
    }
    await page.goto(
      `/app/globex/workspaces?q=${encodeURIComponent(payload)}&tag=${encodeURIComponent(payload)}&sort=${encodeURIComponent(payload)}`,
    );
    await page.waitForTimeout(500);
    if (await page.evaluate('Boolean(window.executed)')) executed.push('the address');
    await close();
    expect(executed).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('web: signing in leads to addresses of this interface alone', async () => {
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:window.executed=1']) {
      const { page, close } = await site.open();
      await page.goto(`/app/~/sign-in?to=${encodeURIComponent(to)}`);
      await page.getByLabel('Username or email').fill(site.owner.username);
      await page.getByLabel('Password', { exact: true }).fill(site.owner.password);
      await page.keyboard.press('Enter');
      await page.waitForURL(address => !address.pathname.includes('/~/sign-in'));
      expect(page.url().startsWith(`${site.address}/app`)).toBe(true);
      await close();
    }
  });
});
