// `terrane seed` as the first thing that anybody does: on a data directory that no server has seen.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import { startServer } from '../../test/running/server.ts';

function seed(environment: Record<string, string>) {
  const options = ['--organization', 'demo', '--workspaces', '5', '--teams', '2', '--json'];
  const ran = spawnSync(process.execPath, [...program, 'seed', ...options], { env: environment, encoding: 'utf8' });
  return { status: ran.status, errors: ran.stderr, result: JSON.parse(ran.stdout || 'null') };
}

test('on an empty directory it makes the administrator as serve does; a server then serves both, and keeps the token', async () => {
  const dataDirectory = join(createDirectory(), 'data');
  const environment = { TERRANE_DATA_DIR: dataDirectory };
  const kept = () => readFileSync(join(dataDirectory, 'admin-token'), 'utf8').trim();
  const first = seed(environment);
  expect(first).toMatchObject({ status: 0, errors: '', result: { isFounded: true, added: { workspaces: 5 } } });
  const token = kept();
  expect(seed(environment).result).toMatchObject({ isFounded: false, added: { workspaces: 0 } });
  const server = await startServer({ ...environment, TERRANE_ADMIN_TOKEN: '' });
  try {
    const answer = await fetch(`${server.address}/api/v2/organizations/demo/workspaces`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { data: object[] }).data).toHaveLength(5);
  } finally {
    expect(await server.end()).toBe(0);
  }
  expect(kept()).toBe(token);
}, 120_000);
