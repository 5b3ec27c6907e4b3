import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type TestApp } from '../../test/app.ts';

const folder = fileURLToPath(new URL('../../dist/docs/', import.meta.url));
const isBuilt = existsSync(`${folder}index.html`);
let app: TestApp;

beforeAll(async () => {
  // Where the pages were not built, a page of this test's own stands in for them.
  if (!isBuilt) {
    mkdirSync(`${folder}assets`, { recursive: true });
    writeFileSync(`${folder}index.html`, '<script>let one;</script><script src="x.js">let two;</script>');
    writeFileSync(`${folder}spec.html`, 'The contract');
    writeFileSync(`${folder}assets/style.css`, 'a {}');
  }
  app = await openApp();
});

afterAll(async () => {
  await app.close();
  if (!isBuilt) rmSync(folder, { recursive: true });
});

const ask = (url: string, headers: Record<string, string> = {}) => app.app.inject({ method: 'GET', url, headers });

test('docs: pages are found by their names, without a token, and nothing else of the machine is', async () => {
  expect((await ask('/docs')).headers['location']).toBe('/docs/');
  for (const path of ['/docs/', '/docs/spec', '/docs/spec.html'])
    expect([path, (await ask(path)).statusCode]).toEqual([path, 200]);
  for (const path of [
    '/docs/nowhere',
    '/docs/../package.json',
    '/docs/%2e%2e/main.js',
    '/docs/..%2fmain.js',
    '/docs/%00',
  ])
    expect([path, (await ask(path)).statusCode]).toEqual([
      path,
      expect.toSatisfy(status => [400, 404].includes(status)),
    ]);
});

test('docs: the policy of a page allows its own scripts by their hashes, and no other host', async () => {
  const { headers } = await ask('/docs/');
  const policy = String(headers['content-security-policy']);
  const html = readFileSync(`${folder}index.html`, 'utf8');
  const [, script = ''] = /<script(?![^>]*src=)[^>]*>([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect(script).not.toBe('');
  expect(policy).toContain(createHash('sha256').update(script).digest('base64'));
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
});

test('docs: what has not changed is not sent again, and it is sent smaller to those who understand', async () => {
  const plain = await ask('/docs/');
  const zipped = await ask('/docs/', { 'accept-encoding': 'gzip, br' });
  expect([zipped.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['br', undefined]);
  const again = await ask('/docs/', { 'if-none-match': String(plain.headers['etag']) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});
