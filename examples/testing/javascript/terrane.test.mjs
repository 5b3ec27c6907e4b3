// A test against an empty Terrane of its own: node --test terrane.test.mjs
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

const [program, ...options] = (process.env.MOCK_COMMAND ?? 'npx --yes terrane mock').split(' ');
let mock;
let server;

before(async () => {
  mock = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: mock.stdout }), 'line');
  server = JSON.parse(line);
});

after(() => process.kill(server.pid));

async function post(path, type, attributes) {
  const answer = await fetch(`${server.address}/api/v2/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type, attributes } }),
  });
  assert.equal(answer.status, 201);
  return (await answer.json()).data;
}

test('a workspace begins unlocked', async () => {
  await post('organizations', 'organizations', { name: 'acme', email: 'admin@acme.example' });
  const workspace = await post('organizations/acme/workspaces', 'workspaces', { name: 'network' });
  assert.equal(workspace.attributes.locked, false);
});
