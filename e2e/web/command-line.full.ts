/** What the interface tells somebody to copy, so that their command line works here: taken as it stands, and run. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { commandLines } from '../command-line.ts';
import { chromiumPath, openSite, type Site, signIn, type Visit } from './browser.ts';

const [binary] = commandLines();

describe.skipIf(!chromiumPath || !binary)('the way from the screen to the command line', () => {
  let site: Site;
  let visit: Visit;
  beforeAll(async () => {
    site = await openSite();
    visit = await site.open();
    await signIn(visit.page, site.owner, '/app/globex/workspaces');
  });
  afterAll(async () => {
    await visit?.close();
    await site?.close();
  });

  test('web: both blocks of an empty list, with a token of one’s own, are all that init needs, over plain http too', async () => {
    const { page, complaints } = visit;
    const block = (name: string) => page.getByLabel(name, { exact: true }).innerText();
    await page.getByText('tfe.v2.2').waitFor();
    const configuration = (await block('configuration of the command line')).replace(
      'your API token',
      site.owner.token,
    );
    const folder = createDirectory();
    const file = join(folder, 'terraform.rc');
    writeFileSync(file, configuration);
    writeFileSync(join(folder, 'main.tf'), await block('cloud block'));
    const environment = { PATH: process.env['PATH'], HOME: folder, TF_CLI_CONFIG_FILE: file, CHECKPOINT_DISABLE: '1' };
    await promisify(execFile)(binary!, ['init', '-no-color', '-input=false'], { cwd: folder, env: environment });
    await page.getByRole('link', { name: 'my-first-workspace' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('web: a workspace that nothing has used yet names itself in the block', async () => {
    const { page } = visit;
    await page.goto('/app/globex/workspaces/my-first-workspace');
    await page.getByLabel('cloud block', { exact: true }).getByText('my-first-workspace').waitFor();
  });

  // Over plain http of any other host than the own one, browsers give scripts no clipboard.
  test('web: a token is copied where the browser gives no clipboard, and the dialog keeps the focus', async () => {
    const { page } = visit;
    await page.goto('/app/~/settings/tokens');
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("not here")); undefined');
    await page.getByRole('button', { name: 'New token…' }).click();
    await page.keyboard.type('copied by selection');
    await page.keyboard.press('Control+Enter');
    const secret = await page.locator('.secret').innerText();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Cop/);
  });
});
