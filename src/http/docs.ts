/** Serves the pages of docs/ at /docs, as `npm run docs` built them: each file is read when somebody first asks for it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type BuiltFile, builtFile, builtFolder, builtTypes, compressed, sendBuilt } from './built-file.ts';

interface Page {
  file: BuiltFile;
  policy: string;
}

export function serveDocs(app: FastifyInstance): void {
  const folder = builtFolder('docs');
  const pages = new Map<string, Promise<Page | null>>();
  app.get('/docs', (_request, reply) => reply.redirect('/docs/'));
  app.get('/docs/*', async (request, reply) => {
    const path = folder && fileOf((request.params as Record<string, string>)['*'] ?? '');
    if (!path)
      return reply
        .code(404)
        .type('text/plain')
        .send(folder ? 'There is no such page.\n' : notBuilt);
    // Nothing is kept for an address without a file: there is no end of those.
    const page = await (pages.get(path) ?? readPage(folder, path));
    if (!page) return reply.code(404).type('text/plain').send('There is no such page.\n');
    pages.set(path, Promise.resolve(page));
    const headers = { 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' };
    return sendBuilt(page.file, request, reply.headers({ ...headers, 'content-security-policy': page.policy }));
  });
}

const notBuilt =
  'The pages are not built here. Run "npm run docs" where the program was cloned, or read the folder docs.\n';

/** The file that an address means; undefined for one that no page can have. */
function fileOf(address: string): string | undefined {
  if (!/^[\w./-]*$/.test(address) || address.split('/').includes('..')) return undefined;
  if (address === '' || address.endsWith('/')) return `${address}index.html`;
  return builtTypes[extname(address)] ? address : `${address}.html`;
}

async function readPage(folder: string, path: string): Promise<Page | null> {
  const bytes = await readFile(join(folder, path)).catch(() => null);
  if (!bytes) return null;
  const type = builtTypes[extname(path)]!;
  const file = builtFile(bytes, type, { isHashed: path.startsWith('assets/'), ...(await compressed(bytes)) });
  return { file, policy: policyFor(type === builtTypes['.html'] ? bytes.toString() : '') };
}

/** Files of this server alone; of the scripts in a page, only those that it was built with. */
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
