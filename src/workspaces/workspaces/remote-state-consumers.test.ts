import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import {
  bodyOf,
  member,
  organization,
  type Person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { project, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let rival: TestOrganization;
let id: string;
let others: string[];
beforeAll(async () => {
  acme = await organization(app);
  rival = await organization(app);
});
beforeEach(async () => {
  id = await workspace(app, acme);
  others = [await workspace(app, acme), await workspace(app, acme), await workspace(app, acme)];
});

const identifiers = (...ids: string[]) => ({ data: ids.map(one => ({ type: 'workspaces', id: one })) });
const path = (of = id) => `workspaces/${of}/relationships/remote-state-consumers`;
type Verb = 'PATCH' | 'POST' | 'DELETE';
const change = (verb: Verb, ids: string[], token = acme.owner.token, of = id) =>
  app.call(verb, path(of), { token, body: identifiers(...ids) });
const list = (query = '', token = acme.owner.token) => app.get(`${path()}${query}`, token);
const idsIn = ({ data }: Answer): string[] => data.map((one: Document) => one.id).sort();
const consumers = async () => idsIn(await list());
const settings = (attributes: object) =>
  app.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', attributes));

/** Somebody whose team has `admin` on the workspace, and `read` on the ones given. */
async function admin(...readable: string[]): Promise<Person> {
  const admins = await team(app, acme);
  await workspaceAccess(app, admins, id, 'admin');
  for (const one of readable) await workspaceAccess(app, admins, one, 'read');
  return member(app, acme, admins);
}

describe('get', () => {
  test('§4.5 lists the named ones as full workspace documents, by name, paginated', async () => {
    await change('POST', others);
    const answer = await list();
    const shown = await Promise.all(
      others.map(async one => (await app.get(`workspaces/${one}`, acme.owner.token)).data),
    );
    const byName = shown.sort((one, other) => (one.attributes.name < other.attributes.name ? -1 : 1));
    expect(answer.data).toEqual(byName);
    expect(answer.document.meta.pagination).toMatchObject({ 'page-size': 20, 'total-count': 3, 'total-pages': 1 });
    const second = await list('?page[number]=2&page[size]=2');
    expect([second.data, second.document.meta.pagination['prev-page']]).toEqual([byName.slice(2), 1]);
  });

  test('§4.5 while global-remote-state is true: every workspace of the organization but the subject', async () => {
    const of = await organization(app);
    const [subject, ...rest] = [await workspace(app, of), await workspace(app, of), await workspace(app, of)];
    const body = bodyOf('workspaces', { 'global-remote-state': true });
    await app.patch(`workspaces/${subject}`, of.owner.token, body);
    const answer = await app.get(path(subject), of.owner.token);
    expect(idsIn(answer)).toEqual(rest.sort());
    expect(answer.document.meta.pagination['total-count']).toBe(2);
  });

  test('§4.5 show_only_configured lists the named ones alone, which come back into force with the switch', async () => {
    await change('POST', [others[0]!]);
    await settings({ 'global-remote-state': true });
    expect((await list('?page[size]=100')).data.length).toBeGreaterThan(1);
    expect(idsIn(await list('?show_only_configured=true'))).toEqual([others[0]]);
    await settings({ 'global-remote-state': false });
    expect(await consumers()).toEqual([others[0]]);
    const faulty = await list('?show_only_configured=maybe');
    expect([faulty.status, faulty.pointers]).toEqual([400, ['show_only_configured']]);
  });

  test('§4.5 sharing with the project lists its workspaces; the named ones stay configured', async () => {
    const projectId = await project(app, acme);
    const sibling = await workspace(app, acme, { project_id: projectId });
    await app.store.read`
      update workspaces set project_id = ${projectId}, project_remote_state = true, revision = default where workspaces.id = ${id}`;
    await change('POST', [others[0]!]);
    expect(await consumers()).toEqual([sibling]);
    expect(idsIn(await list('?show_only_configured=true'))).toEqual([others[0]]);
  });

  test.each([false, true])(
    '§4.5 only workspaces that the caller may read are listed and counted (global-remote-state %s)',
    async isGlobal => {
      // Where state is shared with all, nobody needs to be named.
      if (!isGlobal) await change('POST', others);
      await settings({ 'global-remote-state': isGlobal });
      const readers = await team(app, acme);
      const reader = await member(app, acme, readers);
      await workspaceAccess(app, readers, id, 'read');
      await workspaceAccess(app, readers, others[1]!, 'read');
      const answer = await list('', reader.token);
      expect(idsIn(answer)).toEqual([others[1]]);
      expect(answer.document.meta.pagination['total-count']).toBe(1);
      expect(answer.data[0].attributes.permissions['can-update']).toBe(false);
    },
  );
});

describe('replace', () => {
  test('§4.5 sets exactly the listed ones → 204 without a body; an empty list removes all', async () => {
    await change('POST', [others[0]!, others[1]!]);
    const answer = await change('PATCH', [others[1]!, others[2]!]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await consumers()).toEqual([others[1], others[2]].sort());
    expect((await change('PATCH', [])).status).toBe(204);
    expect(await consumers()).toEqual([]);
  });

  test('§4.5 what other workspaces have named stays, whatever is replaced, added or removed here', async () => {
    const [named, other] = [others[0]!, others[2]!];
    await change('POST', [named], acme.owner.token, other);
    await change('POST', [named, others[1]!]);
    for (const verb of ['DELETE', 'POST', 'PATCH'] as const) {
      expect((await change(verb, [others[1]!])).status).toBe(204);
      expect([verb, idsIn(await app.get(path(other), acme.owner.token))]).toEqual([verb, [named]]);
    }
  });

  test('§5.4 takes permission to manage all workspaces: the admin of one adds and deletes, but replaces nothing', async () => {
    const one = await admin(...others);
    expect((await change('POST', [others[0]!], one.token)).status).toBe(204);
    expect((await change('PATCH', [others[1]!], one.token)).status).toBe(404);
    expect(await consumers()).toEqual([others[0]]);
    expect((await change('DELETE', [others[0]!], one.token)).status).toBe(204);
    const managers = await team(app, acme, { access: { 'manage-workspaces': true } });
    expect((await change('PATCH', [others[1]!], (await member(app, acme, managers)).token)).status).toBe(204);
    expect(await consumers()).toEqual([others[1]]);
  });

  test('§4.5 of many replacements at once one holds whole', async () => {
    const lists = [[others[0]!], [others[1]!, others[2]!], [others[2]!]];
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(lists.map(ids => change('PATCH', ids)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      expect(lists.map(ids => [...ids].sort())).toContainEqual(await consumers());
    }
  });
});

describe('add', () => {
  test('§4.5 adds to those there; one that is a consumer already is ignored, and the rest are added', async () => {
    await change('POST', [others[0]!]);
    const answer = await change('POST', [others[0]!, others[1]!, others[1]!]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await consumers()).toEqual([others[0], others[1]].sort());
  });

  test('§4.5 adding itself as consumer → 422, others untouched', async () => {
    await change('POST', [others[0]!]);
    for (const verb of ['POST', 'PATCH'] as const) {
      const answer = await change(verb, [others[1]!, id]);
      expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id']]);
      expect(answer.problems[0]).toMatch(/its own/);
    }
    expect(await consumers()).toEqual([others[0]]);
  });

  test('§4.5 a workspace that the caller may not read → 422, the words for one that does not exist', async () => {
    const one = await admin(others[0]!);
    const answer = await change('POST', [others[0]!, others[1]!, 'ws-0000000000000000'], one.token);
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id', '/data/2/id']]);
    expect(answer.problems[0]?.replace(others[1]!, 'ws-0000000000000000')).toBe(answer.problems[1]);
    expect(await consumers()).toEqual([]);
  });

  test('§4.5 two workspaces name each other at the same moment: both succeed', async () => {
    for (let round = 0; round < 10; round += 1) {
      const other = await workspace(app, acme);
      const answers = await Promise.all([
        change('POST', [other]),
        change('POST', [id], acme.owner.token, other),
        change('PATCH', [id], acme.owner.token, other),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    }
  });

  test('§4.5 an addition while state becomes shared with all: 204 before the switch or 422 after it, never between', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [added, switched] = await Promise.all([change('POST', others), settings({ 'global-remote-state': true })]);
      expect(switched.status).toBe(200);
      expect([204, 422]).toContain(added.status);
      expect(idsIn(await list('?show_only_configured=true'))).toEqual(added.status === 204 ? [...others].sort() : []);
      await settings({ 'global-remote-state': false });
      await change('PATCH', []);
    }
  });

  test('§4.5 a consumer that is deleted at that moment: 204 or 422, never 5xx', async () => {
    for (let round = 0; round < 6; round += 1) {
      const going = await workspace(app, acme);
      const [added, deleted] = await Promise.all([
        change('POST', [going]),
        app.delete(`workspaces/${going}`, acme.owner.token),
      ]);
      expect([deleted.status, [204, 422].includes(added.status)]).toEqual([204, true]);
      expect(await consumers()).toEqual([]);
    }
  });
});

describe('delete', () => {
  test('§4.5 removes the listed ones; one that is no consumer, the subject itself too, is ignored', async () => {
    await change('POST', [others[0]!, others[1]!]);
    const answer = await change('DELETE', [others[0]!, others[2]!, id]);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await consumers()).toEqual([others[1]]);
  });

  test('§4.5 a consumer that the caller may not read → 422, and nothing is removed', async () => {
    await change('POST', [others[0]!, others[1]!]);
    const one = await admin(others[0]!);
    const answer = await change('DELETE', [others[0]!, others[1]!], one.token);
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id']]);
    expect(await consumers()).toEqual([others[0], others[1]].sort());
  });

  test('§4.4 a consumer that is deleted, or whose subject is, is gone from the lists', async () => {
    await change('POST', [others[0]!, others[1]!]);
    expect((await app.delete(`workspaces/${others[0]}`, acme.owner.token)).status).toBe(204);
    expect(await consumers()).toEqual([others[1]]);
    expect((await app.delete(`workspaces/${id}`, acme.owner.token)).status).toBe(204);
  });
});

describe.each([
  ['PATCH', '§7 consumers-replace/404', '§7 consumers-replace/422'],
  ['POST', '§7 consumers-add/404', '§7 consumers-add/422'],
  ['DELETE', '§7 consumers-delete/404', '§7 consumers-delete/422'],
] as const)('%s', (verb, missingRow, faultRow) => {
  test(`${faultRow}: a workspace of another organization is never accepted`, async () => {
    const foreign = await workspace(app, rival);
    const owners = await team(app, rival);
    await workspaceAccess(app, owners, foreign, 'read');
    const both = await member(app, rival, owners);
    await app.store.read`
      insert into organization_memberships (id, organization_id, user_id, status, email)
      values (${`ou-${verb}`}, ${acme.key}, ${both.id}, 'active', ${both.email})`;
    await app.store.read`
      insert into team_memberships (team_id, organization_membership_id) values (${acme.ownersTeamId}, ${`ou-${verb}`})`;
    expect((await app.get(`workspaces/${foreign}`, both.token)).status).toBe(200);
    const answer = await change(verb, [others[0]!, foreign], both.token);
    expect([answer.status, answer.pointers]).toEqual([422, ['/data/1/id']]);
    expect(await consumers()).toEqual([]);
  });

  test(`${faultRow}: refused while global-remote-state is true`, async () => {
    await change('POST', [others[0]!]);
    await settings({ 'global-remote-state': true });
    const answer = await change(verb, [others[1]!]);
    expect([answer.status, answer.problems]).toEqual([422, [expect.stringContaining('global-remote-state')]]);
    expect(idsIn(await list('?show_only_configured=true'))).toEqual([others[0]]);
  });

  test.each([
    ['another type', { data: [{ type: 'workspace', id: 'ws-1' }] }, '/data/0/type'],
    ['no id', { data: [{ type: 'workspaces' }] }, '/data/0/id'],
    ['one in place of a list', { data: { type: 'workspaces', id: 'ws-1' } }, '/data'],
    ['no data', {}, '/data'],
  ])(`${faultRow}: %s`, async (_what, body, pointer) => {
    const answer = await app.call(verb, path(), { token: acme.owner.token, body });
    expect([answer.status, answer.pointers]).toEqual([422, [pointer]]);
  });

  test(`${missingRow}: hidden workspaces, and readers without the permission`, async () => {
    const writers = await team(app, acme);
    const writer = await member(app, acme, writers);
    await workspaceAccess(app, writers, id, 'write');
    const missing = await change(verb, [others[0]!], writer.token, 'ws-0000000000000000');
    for (const token of [writer.token, rival.owner.token, (await member(app, acme)).token]) {
      const answer = await change(verb, [others[0]!], token);
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect((await list('', rival.owner.token)).status).toBe(404);
  });
});
