/** From nothing to a password of one's own: the program as it is started first, and a Chromium beside it. */
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataDirectory } from '../test/running/database.ts';
import { type Server, startServer } from './command-line.ts';
import { chromiumPath, signIn } from './web/browser.ts';

if (!chromiumPath) console.log('e2e: no Chromium on this machine: skipped');

describe.skipIf(!chromiumPath)('in a browser', () => {
  let server: Server;
  let browser: Browser;
  beforeAll(async () => {
    server = await startServer({ TERRANE_DATA_DIR: createDataDirectory() });
    browser = await chromium.launch({ executablePath: chromiumPath!, args: ['--no-sandbox', '--disable-gpu'] });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test('§1 the terminal that started the server is the only one: its link, a password, and in again', {
    timeout: 60_000,
  }, async () => {
    const [link] = /http:\S+\/app\/~\/password#\S+/.exec(server.told())!;
    const password = 'quiet ledger of northern terraces';
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link!);
    await page.getByLabel('Password for admin').fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('You belong to no organization yet').waitFor();
    await context.close();
    // The link was good once; the password is good from now on.
    const again = await (await browser.newContext()).newPage();
    await again.goto(link!);
    await again.getByLabel('Password for admin').fill(`${password}, another`);
    await again.keyboard.press('Enter');
    await again.getByText('The link was used already').first().waitFor();
    await signIn(again, { username: 'admin', password }, `${server.address}/app/`);
    await again.getByText('You belong to no organization yet').waitFor();
    expect(await again.context().cookies(server.address)).toMatchObject([{ name: 'terrane-session', httpOnly: true }]);
  });
});
