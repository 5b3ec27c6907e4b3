/** The program as operators run it, in a process of its own, and requests to its port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { vi } from 'vitest';
import type { Document } from '../app.ts';
import { program } from './program.ts';

/** `document` is what the body holds as JSON, `problems` what its errors say. */
export interface ServedAnswer {
  status: number;
  document: Document;
  problems: string[];
}

export interface Server {
  address: string;
  pid: number;
  /** What it printed for its operator so far. */
  errors: () => string;
  /** Its log so far. */
  output: () => string;
  hasEnded: () => boolean;
  /** `path` is relative to the API, or absolute at this server, or a whole address. Bytes are sent as they are. */
  call: (method: string, path: string, body?: object | Buffer) => Promise<ServedAnswer>;
  /** Asks it to stop; the exit code, or null where a signal ended it. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export const operatorToken = 'a-token-of-the-operator';
const answerLimit_ms = 30_000;

/** Starts a server whose administrator has the operator's token, and waits for its welcome. */
export async function startServer(environment: Record<string, string>, command = ['serve']): Promise<Server> {
  const child = spawn(process.execPath, [...program, ...command], {
    env: { PORT: '0', TERRANE_DRAIN_SECONDS: '0', TERRANE_ADMIN_TOKEN: operatorToken, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [errors, output] = ['', ''];
  child.stderr.on('data', chunk => (errors += chunk));
  child.stdout.on('data', chunk => (output += chunk));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const findAddress = () => {
    const found = /Terrane answers at (\S+).*Ctrl-C/s.exec(errors)?.[1];
    if (found) return found;
    throw new Error(`The server has not answered: ${errors}`);
  };
  const ended = once(child, 'exit').then(() => findAddress());
  ended.catch(() => undefined);
  const begun = vi.waitFor(findAddress, { timeout: 30_000, interval: 20 });
  const address = await Promise.race([begun, ended]).catch(error => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    address,
    pid: child.pid!,
    errors: () => errors,
    output: () => output,
    hasEnded,
    call: (method, path, body) => call(new URL(path, `${address}/api/v2/`), method, body),
    end: async (signal = 'SIGTERM') => {
      if (hasEnded()) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

async function call(url: URL, method: string, body?: object | Buffer): Promise<ServedAnswer> {
  const isBytes = body instanceof Buffer;
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${operatorToken}`,
      'content-type': isBytes ? 'application/octet-stream' : 'application/vnd.api+json',
    },
    ...(body && { body: isBytes ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerLimit_ms),
  });
  const text = await answer.text();
  const document: Document = text === '' ? undefined : JSON.parse(text);
  const errors: { title: string; detail?: string }[] = document?.errors ?? [];
  return { status: answer.status, document, problems: errors.map(({ title, detail }) => detail ?? title) };
}
