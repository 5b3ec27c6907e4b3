import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';

const app = useApp();
const ask = (url: string, headers: Record<string, string> = {}) => app.app.inject({ method: 'GET', url, headers });

test('web: every address below /app that is no file is the page itself, which no cache keeps', async () => {
  expect(existsSync(new URL('../../dist/web/index.html', import.meta.url))).toBe(true);
  for (const url of ['/app/', '/app/globex/workspaces/net', '/app/~/sign-in?to=/globex']) {
    const { statusCode, headers, body } = await ask(url);
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-cache']);
    expect(body).toContain('<div id="root">');
  }
});

test('web: the policy of the page allows files of this server alone, nothing inline, and no frame around it', async () => {
  const { headers } = await ask('/app/');
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/default-src 'none'/);
  expect(policy).toMatch(/script-src 'self'(;|$)/);
  expect(policy).toMatch(/style-src 'self'(;|$)/);
  expect(policy).toMatch(/frame-ancestors 'none'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers['referrer-policy']).toBe('same-origin');
});

test('web: a file with a hash in its name is kept for ever, and sent in the smallest form that is understood', async () => {
  const script = /\/app\/assets\/[^"]+\.js/.exec((await ask('/app/')).body)![0];
  const sizes = [];
  for (const encoding of ['br, gzip', 'gzip', '']) {
    const { headers, rawPayload } = await ask(script, { 'accept-encoding': encoding });
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding']).toBe(encoding ? encoding.split(',')[0] : undefined);
    expect(headers['vary']).toContain('accept-encoding');
    sizes.push(rawPayload.length);
  }
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
  expect(sizes[0]).toBeLessThan(sizes[2]! / 2);
});

test('web: what has not changed is not sent again', async () => {
  const { headers } = await ask('/app/');
  const again = await ask('/app/', { 'if-none-match': String(headers['etag']) });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('web: a file of an older build is missing, rather than the page in its place', async () => {
  expect((await ask('/app/assets/index-gone.js')).statusCode).toBe(404);
  expect((await ask('/app/../package.json')).statusCode).toBe(404);
  expect((await ask('/app/%2e%2e/package.json')).body).not.toContain('"dependencies"');
});

test('web: the bare address of the server leads there', async () => {
  for (const url of ['/', '/app']) {
    const { statusCode, headers } = await ask(url);
    expect([url, statusCode, headers['location']]).toEqual([url, 302, '/app/']);
  }
});
