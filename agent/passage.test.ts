/** §2.2 An engine talks to the server while that goes away and comes back: each call is answered, and nothing happens twice. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { mediaType, useApp } from '../test/app.ts';
import { signedIn } from '../test/builders/agent.ts';
import { organization, type TestOrganization } from '../test/builders/records.ts';
import { run } from '../test/builders/run.ts';
import { stateOf, versionBody } from '../test/builders/state.ts';
import { workspace } from '../test/builders/workspace.ts';
import { type Door, openDoor } from '../test/running/door.ts';
import { addressOf } from '../test/running/scripted.ts';
import { openPassage, type Passage } from './passage.ts';

vi.setConfig({ testTimeout: 60_000 });
const app = useApp();
let acme: TestOrganization;
let door: Door;
let passage: Passage;
/** What clients are told: nobody answers there. */
const publicUrl = () => app.app.listeningOrigin;

beforeAll(async () => {
  acme = await organization(app);
  const { hostname, port } = new URL(await addressOf(app));
  door = await openDoor({ host: hostname, port: Number(port) }, { host: '127.0.0.1' });
  passage = await openPassage(`http://127.0.0.1:${door.port}`, publicUrl());
});
afterEach(() => door.open());
afterAll(async () => {
  passage.close();
  await door.shut();
});

/** An apply under way: the workspace, the run, and how its engine asks. */
async function applying() {
  const workspaceId = await workspace(app, acme);
  const runId = await run(app, acme, workspaceId, { auto_apply: true });
  const agent = await signedIn(app);
  const plan = (await agent.claim())!;
  await plan.start();
  await plan.finish({ outcome: 'finished', has_changes: true });
  const apply = (await agent.claim())!;
  const { token } = await apply.start();
  const ask = (path: string, body?: object) =>
    fetch(`${passage.origin}/api/v2/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': mediaType },
      ...(body && { body: JSON.stringify(body) }),
    });
  const newState = (state: Buffer, serial: number) => {
    const { data } = versionBody(state, { serial }, false) as { data: object };
    const relationships = { run: { data: { type: 'runs', id: runId } } };
    return ask(`workspaces/${workspaceId}/state-versions`, { data: { ...data, relationships } });
  };
  return { workspaceId, runId, ask, newState, apply };
}

/** As engines do: once more where they are told to wait. */
async function repeated(send: () => Promise<Response>): Promise<Response> {
  const first = await send();
  expect([first.status, first.headers.get('x-ratelimit-reset')]).toEqual([429, '2']);
  return send();
}

const put = (address: string, content: Buffer) => fetch(address, { method: 'PUT', body: new Uint8Array(content) });
const currentOf = async (workspaceId: string) =>
  (await app.get(`workspaces/${workspaceId}/current-state-version`, acme.owner.token)).data;

test('§2.2 an engine reaches the server and no other host', async () => {
  const path = 'x://elsewhere.example/api/v2/ping';
  const [answer] = await once(request(passage.origin, { path }).end(), 'response', {
    signal: AbortSignal.timeout(5000),
  });
  expect(answer.statusCode).toBe(400);
});

test('§2.2 a question waits until the server is back, and is answered as if nothing had been', async () => {
  const { ask, workspaceId, apply } = await applying();
  await door.shut();
  const waiting = ask(`workspaces/${workspaceId}`);
  await sleep(2000);
  await door.open();
  const answer = await waiting;
  expect([answer.status, ((await answer.json()) as { data: { id: string } }).data.id]).toEqual([200, workspaceId]);
  await apply.finish({ outcome: 'finished' });
});

test('§2.2 a question whose answer was lost is asked again', async () => {
  const { ask, workspaceId, apply } = await applying();
  door.loseAnswer();
  expect((await ask(`workspaces/${workspaceId}`)).status).toBe(200);
  await apply.finish({ outcome: 'finished' });
});

test('§3 a state is saved once though the answers to its creation and to its upload were lost', async () => {
  const { newState, workspaceId, apply } = await applying();
  const state = stateOf({ serial: 1, resources: 2 });
  door.loseAnswer();
  const created = await repeated(() => newState(state, 1));
  expect(created.status).toBe(201);
  const { attributes, id } = ((await created.json()) as { data: { attributes: Record<string, string>; id: string } })
    .data;
  const address = attributes['hosted-state-upload-url']!;
  expect(address.startsWith(`${passage.origin}/`)).toBe(true);
  door.loseAnswer();
  expect((await repeated(() => put(address, state))).status).toBe(200);
  expect((await put(address, stateOf({ serial: 2 }))).status).toBe(410);
  await apply.finish({ outcome: 'finished' });
  expect((await currentOf(workspaceId)).id).toBe(id);
  expect((await app.get(`workspaces/${workspaceId}`, acme.owner.token)).data.attributes.locked).toBe(false);
});

test('§3 the content of a state is sent while the server is away: the engine is told to send it again once it is back', async () => {
  const { newState, workspaceId, apply } = await applying();
  const state = stateOf({ serial: 1, resources: 2 });
  const { data } = (await (await newState(state, 1)).json()) as { data: { attributes: Record<string, string> } };
  const address = data.attributes['hosted-state-upload-url']!;
  await door.shut();
  const begun_ms = Date.now();
  const sent = repeated(() => put(address, state));
  await sleep(2000);
  await door.open();
  expect((await sent).status).toBe(200);
  expect(Date.now() - begun_ms).toBeGreaterThan(1900);
  await apply.finish({ outcome: 'finished' });
  expect((await currentOf(workspaceId)).attributes.serial).toBe(1);
});

test('§5 the passage opens nothing by itself: who shows no token is refused as by the server', async () => {
  expect((await fetch(`${passage.origin}/api/v2/organizations/${acme.name}`)).status).toBe(401);
});

test('an engine that goes while it waits leaves nobody waiting', async () => {
  await door.shut();
  const patience = AbortSignal.timeout(500);
  await expect(fetch(`${passage.origin}/api/v2/ping`, { signal: patience })).rejects.toThrow();
  const other = await openPassage(`http://127.0.0.1:${door.port}`, publicUrl());
  const waiting = fetch(`${other.origin}/api/v2/ping`);
  await sleep(300);
  other.close();
  await expect(waiting).rejects.toThrow('fetch failed');
});
