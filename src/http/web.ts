/** Serves the web interface at /app: files that were built and compressed before, kept in memory from the first request on. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../core/errors.ts';

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

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Built {
  type: string;
  etag: string;
  isHashed: boolean;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

export function serveWeb(app: FastifyInstance): void {
  let files: Map<string, Built> | undefined;
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    files ??= readBuilt();
    const path = (request.params as Record<string, string>)['*'] ?? '';
    // Every address that is no file is a screen of the interface, which the page itself finds.
    const file = files.get(path) ?? (/^assets\//.test(path) ? undefined : files.get('index.html'));
    if (!file) throw new ApiError('not-found');
    return send(file, request, reply);
  };
  app.get('/', (_request, reply) => reply.redirect('/app/'));
  app.get('/app', (_request, reply) => reply.redirect('/app/'));
  app.get('/app/*', answer);
}

function send(file: Built, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(headers).header('etag', file.etag).header('vary', 'accept-encoding');
  reply.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = (request.headers['accept-encoding'] ?? '').toString();
  reply.type(file.type);
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}

/** All files by their path below /app; none where the interface has not been built. */
function readBuilt(): Map<string, Built> {
  // Beside the built program, or seen from this file when it runs as it is written.
  const places = ['./web/', '../../dist/web/'].map(place => fileURLToPath(new URL(place, import.meta.url)));
  const folder = places.find(place => existsSync(join(place, 'index.html')));
  const files = new Map<string, Built>();
  if (!folder) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || !type) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll('\\', '/');
    const compressed = existsSync(`${path}.br`) && {
      br: readFileSync(`${path}.br`),
      gzip: readFileSync(`${path}.gz`),
    };
    const plain = readFileSync(path);
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    files.set(name, { type, etag, isHashed: name.startsWith('assets/'), plain, ...compressed });
  }
  return files;
}
