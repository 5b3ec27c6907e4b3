/** Serves the web interface at /app: files that were built and compressed before, kept in memory from the first request on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';
import { type BuiltFile, builtFile, builtFolder, builtTypes, sendBuilt } from './built-file.ts';

/** Nothing but files of this server, and nothing inline; `data:` for the tick of a checkbox in the components' styles. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'content-security-policy': policy,
  // Over plain http the referrer is what tells the API that a page of this site asks.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export function serveWeb(app: FastifyInstance): void {
  let files: Map<string, BuiltFile> | undefined;
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    files ??= readBuilt();
    const path = (request.params as Record<string, string>)['*'] ?? '';
    // Every address that is no file is a screen of the interface, which the page itself finds.
    const file = files.get(path) ?? (/^assets\//.test(path) ? undefined : files.get('index.html'));
    if (!file) throw new ApiError('not-found');
    return sendBuilt(file, request, reply.headers(headers));
  };
  app.get('/', (_request, reply) => reply.redirect('/app/'));
  app.get('/app', (_request, reply) => reply.redirect('/app/'));
  app.get('/app/*', answer);
}

/** All files by their path below /app; none where the interface has not been built. */
function readBuilt(): Map<string, BuiltFile> {
  const folder = builtFolder('web');
  const files = new Map<string, BuiltFile>();
  if (!folder) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = builtTypes[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll('\\', '/');
    const forms = existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
    files.set(name, builtFile(readFileSync(path), type, { isHashed: name.startsWith('assets/'), ...forms }));
  }
  return files;
}
