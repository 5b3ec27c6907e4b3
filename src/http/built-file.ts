/** Files that were built before anybody asks for them: found beside the program, and sent in the form that a caller takes. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const builtTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface BuiltFile {
  type: string;
  etag: string;
  /** Whether its name changes with its content. */
  isHashed: boolean;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

export function builtFile(
  plain: Buffer,
  type: string,
  more: Pick<BuiltFile, 'br' | 'gzip'> & { isHashed?: boolean } = {},
): BuiltFile {
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { isHashed: false, ...more, type, etag, plain };
}

/** Beside the built program, or seen from this file when it runs as it is written. Undefined where nobody has built it. */
export function builtFolder(name: string): string | undefined {
  const places = [`./${name}/`, `../../dist/${name}/`].map(place => fileURLToPath(new URL(place, import.meta.url)));
  return places.find(place => existsSync(join(place, 'index.html')));
}

/** Both forms in which text travels smaller, made away from the thread that answers. */
export async function compressed(plain: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)]);
  return { br, gzip: zipped };
}

export function sendBuilt(file: BuiltFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header('etag', file.etag).header('vary', 'accept-encoding');
  reply.header('cache-control', file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.type(file.type);
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}
