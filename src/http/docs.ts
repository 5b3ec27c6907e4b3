/** Serves the pages of docs/ at /docs, as `npm run docs` built them: each file is read when somebody first asks for it. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface Page {
  bytes: Buffer;
  zipped: Buffer;
  type: string;
  etag: string;
  policy: string;
}

export function serveDocs(app: FastifyInstance): void {
  // Beside the built program, or seen from this file when it runs as it is written.
  const places = ['./docs/', '../../dist/docs/'].map(place => fileURLToPath(new URL(place, import.meta.url)));
  const folder = places.find(place => existsSync(join(place, 'index.html')));
  const pages = new Map<string, Promise<Page | null>>();
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/*', async (request, reply) => {
    const path = folder && fileOf((request.params as Record<string, string>)['*'] ?? '');
    if (!path)
      return reply
        .code(404)
        .type('text/plain')
        .send(folder ? 'There is no such page.\n' : notBuilt);
    // What is not there is not kept: addresses are without number.
    const page = await (pages.get(path) ?? readPage(join(folder, path)));
    if (!page) return reply.code(404).type('text/plain').send('There is no such page.\n');
    pages.set(path, Promise.resolve(page));
    return send(page, path, request, reply);
  });
}

const notBuilt =
  'The pages are not built here. Run "npm run docs" where the program was cloned, or read the folder docs.\n';

/** The file that an address means; undefined for one that no page can have. */
function fileOf(address: string): string | undefined {
  if (!/^[\w./-]*$/.test(address) || address.split('/').includes('..')) return undefined;
  if (address === '' || address.endsWith('/')) return `${address}index.html`;
  return types[extname(address)] ? address : `${address}.html`;
}

async function readPage(path: string): Promise<Page | null> {
  const bytes = await readFile(path).catch(() => null);
  if (!bytes) return null;
  const type = types[extname(path)]!;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const zipped = (await promisify(gzip)(bytes)) as Buffer;
  return { bytes, zipped, type, etag, policy: policyFor(type === types['.html'] ? bytes.toString() : '') };
}

/** Files of this server alone, and of what stands in a page only the scripts that it was built with. */
function policyFor(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...new Set(inline)].join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function send(page: Page, path: string, request: FastifyRequest, reply: FastifyReply) {
  const isHashed = path.startsWith('assets/');
  reply.headers({
    'content-security-policy': page.policy,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag: page.etag,
  });
  if (request.headers['if-none-match'] === page.etag) return reply.code(304).send();
  reply.type(page.type);
  const isZipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return isZipped ? reply.header('content-encoding', 'gzip').send(page.zipped) : reply.send(page.bytes);
}
