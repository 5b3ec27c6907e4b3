/** A real S3-compatible store for tests: versitygw on loopback, over a directory, where its program is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { vi } from 'vitest';
import { createDirectory } from './database.ts';

const places = [...(process.env['PATH'] ?? '').split(delimiter), join(homedir(), 'go/bin')];

/** `go install github.com/versity/versitygw/cmd/versitygw@latest` puts it there. */
export const objectServerProgram = [process.env['VERSITYGW'], ...places.map(place => join(place, 'versitygw'))].find(
  path => path && existsSync(path),
);

export interface ObjectServer {
  /** What an operator would set. */
  environment: Record<string, string>;
  /** The names of the objects that are there. */
  objects: () => string[];
  /** It takes connections and answers none, until it is told to go on. */
  freeze: () => void;
  goOn: () => void;
  stop: () => Promise<void>;
  start: () => Promise<void>;
}

const [id, secret] = ['terrane-tests', 'a-secret-of-the-tests'];

export async function startObjectServer(): Promise<ObjectServer> {
  const directory = createDirectory();
  const [data, sidecar] = [join(directory, 'data'), join(directory, 'sidecar')];
  const bucket = join(data, 'contents');
  mkdirSync(bucket, { recursive: true });
  mkdirSync(sidecar);
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const flags = ['--access', id, '--secret', secret, '--port', `127.0.0.1:${port}`, '--health', '/health'];
    child = spawn(objectServerProgram!, [...flags, 'posix', '--sidecar', sidecar, data], { stdio: 'ignore' });
    await vi.waitFor(
      async () => {
        const { ok } = await fetch(`http://127.0.0.1:${port}/health`);
        if (!ok) throw new Error('The object server is not ready.');
      },
      { timeout: 20_000, interval: 50 },
    );
  };
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  await start();
  return {
    environment: {
      TERRANE_BLOBS: `s3://contents/of/terrane?endpoint=http://127.0.0.1:${port}`,
      TERRANE_BLOBS_KEY: `${id}:${secret}`,
    },
    objects: () => {
      const folder = join(bucket, 'of/terrane');
      return existsSync(folder) ? readdirSync(folder).sort() : [];
    },
    freeze: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    stop,
    start,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
