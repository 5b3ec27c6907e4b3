/** §5.4 A command line whose answer was lost asks again: what it wanted has happened once, and it goes on. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { configurationVersion, move, run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let colleague: Person;
let colleagues: string;
beforeAll(async () => {
  acme = await organization(app);
  colleagues = await team(app, acme);
  colleague = await member(app, acme, colleagues);
});

const cloud = { 'x-terraform-integration': 'cloud', 'terraform-version': '1.11.4' };
const remote = { 'terraform-version': '1.11.4' };
const post = (path: string, headers: Record<string, string>, body: unknown = {}, { token } = acme.owner) =>
  app.call('POST', path, { token, body, headers });
const newWorkspace = async () => {
  const id = await workspace(app, acme);
  await workspaceAccess(app, colleagues, id, 'write');
  return id;
};

/** Asks for runs of a configuration that a command line has uploaded, each in the same words. */
async function uploaded(source: string) {
  const workspaceId = await newWorkspace();
  const version = await configurationVersion(app, acme, workspaceId, { source });
  const ask = async (headers: Record<string, string>, caller = acme.owner, to = workspaceId) => {
    const related = {
      workspace: { data: { type: 'workspaces', id: to } },
      'configuration-version': { data: { type: 'configuration-versions', id: version } },
    };
    const { status, data } = await post('runs', headers, bodyOf('runs', { message: 'asked' }, related), caller);
    return [status, data?.id];
  };
  const made = async () => (await app.get(`workspaces/${workspaceId}/runs`, acme.owner.token)).data.length;
  return { workspaceId, ask, made };
}

test.each([
  ['cloud', 'terraform+cloud', cloud],
  ['remote', 'terraform', remote],
])(
  '§5.4 the backend %s asks again for a run of what it uploaded → 201 with the one that was made',
  async (...given) => {
    const [, source, headers] = given;
    const { ask, made } = await uploaded(source);
    const first = await ask(headers);
    expect(first).toEqual([201, expect.stringMatching(/^run-/)]);
    expect(await ask(headers)).toEqual(first);
    await move(app, first[1] as string, 'planning', 'planned', 'discarded');
    expect([await ask(headers), await made()]).toEqual([first, 1]);
  },
);

test('§5.4 five times at once: one run is made', async () => {
  const { ask, made } = await uploaded('terraform+cloud');
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(cloud)));
  expect([new Set(answers.map(String)).size, answers[0]![0], await made()]).toEqual([1, 201, 1]);
});

test('§5.4 somebody else, another program, another workspace or another source make runs of their own', async () => {
  const { ask, made } = await uploaded('terraform+cloud');
  const other = await newWorkspace();
  const ids = [
    await ask(cloud),
    await ask(cloud, colleague),
    await ask({}),
    await ask({}),
    await ask(cloud, acme.owner, other),
  ];
  expect(ids.map(([status]) => status)).toEqual([201, 201, 201, 201, 201]);
  expect([new Set(ids.map(([, id]) => id)).size, await made()]).toEqual([5, 4]);
  const byProgramFirst = await uploaded('terraform+cloud');
  expect(await byProgramFirst.ask({})).not.toEqual(await byProgramFirst.ask(cloud));
  const byProgram = await uploaded('tfe-api');
  expect(await byProgram.ask(cloud)).not.toEqual(await byProgram.ask(cloud));
});

test('§5.4 a command line confirms again what it confirmed → 202, and nothing changes; anybody else → 409', async () => {
  const workspaceId = await newWorkspace();
  const id = await run(app, acme, workspaceId);
  await move(app, id, 'planning', 'planned');
  const confirm = async (headers: Record<string, string>, caller = acme.owner) =>
    (await post(`runs/${id}/actions/apply`, headers, {}, caller)).status;
  const shown = async () => (await app.get(`runs/${id}`, acme.owner.token)).data;
  expect(await confirm(cloud)).toBe(202);
  const confirmed = await shown();
  expect([await confirm(cloud), await confirm(remote)]).toEqual([202, 202]);
  expect([await confirm({}), await confirm(cloud, colleague)]).toEqual([409, 409]);
  expect(await shown()).toEqual(confirmed);
  await move(app, id, 'applying', 'applied');
  expect([await confirm(cloud), (await shown()).attributes.status]).toEqual([202, 'applied']);
  const [event] = await app.store.read`
    select audit_events.changes from audit_events
    where audit_events.resource_id = ${id} order by audit_events.occurred_at desc limit 1`;
  expect(event!['changes']).toEqual({ again: true });
});
