// The whole program in a process of its own, as a test harness starts it and kills it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import { postgresProcesses } from '../core/store/leftover-processes.ts';

const patience = { timeout: 20_000, interval: 50 };

type Running = { child: ChildProcess; address: string; token: string; directories: () => string[] };

async function startMock(options: string[] = [], environment: Record<string, string> = {}): Promise<Running> {
  const temporary = realpathSync(createDirectory());
  const child = spawn(process.execPath, [...program, 'mock', ...options], {
    env: { ...environment, PATH: process.env['PATH'], TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  const { pid, ...said } = JSON.parse(line);
  expect(pid).toBe(child.pid);
  const directories = () =>
    readdirSync(temporary)
      .filter(name => name.startsWith('terrane-mock-'))
      .map(name => join(temporary, name));
  return { child, ...said, directories };
}

async function createOrganization({ address, token }: Running): Promise<number> {
  const answer = await fetch(`${address}/api/v2/organizations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({
      data: { type: 'organizations', attributes: { name: 'acme', email: 'admin@acme.example' } },
    }),
  });
  return answer.status;
}

test('mock: says where it answers and by which token, and leaves nothing when it is stopped', async () => {
  const running = await startMock();
  expect(running.token).toBe('terrane-mock-administrator');
  expect(await createOrganization(running)).toBe(201);
  expect(running.directories()).toHaveLength(1);
  const ended = once(running.child, 'exit');
  running.child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(running.directories()).toEqual([]);
});

test('mock: leaves nothing when it is killed, PostgreSQL neither', async () => {
  const running = await startMock();
  const [directory] = running.directories();
  const processes = () => postgresProcesses(join(directory!, 'postgresql'));
  expect(await processes()).not.toEqual([]);
  running.child.kill('SIGKILL');
  await vi.waitFor(() => expect(running.directories()).toEqual([]), patience);
  expect(await processes()).toEqual([]);
});

test('mock: a second one begins empty, beside the first', async () => {
  const [first, second] = await Promise.all([startMock(), startMock(['--token', 'a-token-of-my-own'])]);
  expect(await createOrganization(first)).toBe(201);
  expect(second.token).toBe('a-token-of-my-own');
  expect(await createOrganization(second)).toBe(201);
});

test("mock: the operator's database and data directory are not touched", async () => {
  const dataDirectory = join(createDirectory(), 'data');
  mkdirSync(dataDirectory);
  const running = await startMock([], {
    DATABASE_URL: 'postgres://terrane@127.0.0.1:1/terrane',
    TERRANE_DATA_DIR: dataDirectory,
    TERRANE_ENCRYPTION_KEY_FILE: '/nowhere',
  });
  expect(await createOrganization(running)).toBe(201);
  expect(readdirSync(dataDirectory)).toEqual([]);
});
