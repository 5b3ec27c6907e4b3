/** A real Chromium on a real server: what the tests of the interface stand on. */
import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { openApp, type TestApp } from '../../test/app.ts';
import { organization, type Person, passwordOf, person, type TestOrganization } from '../../test/builders/records.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium is; undefined where there is none. `CHROMIUM` names another place. */
export const chromiumPath = [process.env['CHROMIUM'], ...places].find(path => path && existsSync(path));

const quietly = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface Site extends EmptySite {
  organization: TestOrganization;
  owner: Person & { password: string };
}

export interface EmptySite {
  app: TestApp;
  address: string;
  browser: Browser;
  /** A new window of its own, that belongs to nobody yet. */
  open: (options?: BrowserContextOptions) => Promise<Visit>;
  close: () => Promise<void>;
}

export interface Visit {
  page: Page;
  /** What no page may have: faults of scripts, and what the policy has refused. */
  complaints: string[];
  close: () => Promise<void>;
}

/** `environment` is what its operator would set. */
export async function openSite(environment: Record<string, string> = {}): Promise<Site> {
  const site = await openEmptySite(environment);
  const owner = await person(site.app, { username: 'mira' });
  const made = await organization(site.app, { name: 'globex', owner });
  return { ...site, organization: made, owner: { ...made.owner, password: await passwordOf(site.app, made.owner) } };
}

/** As a first start leaves it: nobody has an organization yet. */
export async function openEmptySite(environment: Record<string, string> = {}): Promise<EmptySite> {
  const app = await openApp(environment);
  await app.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.app.server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  const browser = await chromium.launch({ executablePath: chromiumPath!, headless: true, args: quietly });
  const open = async (options: BrowserContextOptions = {}) => visit(browser, address, options);
  const close = async () => {
    await browser.close();
    await app.close();
  };
  return { app, address, browser, open, close };
}

async function visit(browser: Browser, address: string, options: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', fault => complaints.push(`fault: ${fault.message}`));
  page.on('console', message => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(`policy: ${message.text()}`);
  });
  page.on('request', request => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url()))
      complaints.push(`elsewhere: ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** As a person does it: name, password, Enter. */
export async function signIn(
  page: Page,
  { username, password }: { username: string; password: string },
  to = '/app/',
): Promise<void> {
  await page.goto(to);
  const field = page.getByLabel('Username or email');
  await field.fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(address => !address.pathname.includes('/~/sign-in'));
  // The form stands until the next screen is drawn, and what is typed meanwhile goes with it.
  await field.waitFor({ state: 'detached' });
}

/** Until what was asked for is on the screen. The network is never idle: the feed of changes stays open. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, h2').first().waitFor();
  const isBusy = `document.querySelector('[aria-busy=true], .progress-line') !== null`;
  for (let quiet = 0, look = 0; quiet < 3 && look < 300; look += 1) {
    await page.waitForTimeout(100);
    quiet = (await page.evaluate(isBusy)) ? 0 : quiet + 1;
  }
}
