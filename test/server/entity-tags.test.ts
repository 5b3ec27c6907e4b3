/** ETag, If-None-Match and If-Match: nobody is sent twice what still holds, and no change is made to what changed meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestApp } from '../app.ts';
import { bodyOf, member, organization, type TestOrganization, team } from '../builders/records.ts';
import { project, workspace, workspaceAccess } from '../builders/workspace.ts';
import { openPair, type Pair } from '../running/pair.ts';

let pair: Pair;
let app: TestApp;
let acme: TestOrganization;
let teamId: string;
beforeAll(async () => {
  pair = await openPair();
  app = pair.one;
  acme = await organization(app);
  teamId = await team(app, acme);
});
afterAll(() => pair.close());

const tagOf = (answer: Answer): string => answer.headers['etag']!;
const ask = (server: TestApp, method: string, path: string, headers: Record<string, string>, body?: unknown) =>
  server.call(method, path, { token: acme.owner.token, headers, ...(body !== undefined && { body }) });
const again = (path: string, tag: string, server = app) => ask(server, 'GET', path, { 'if-none-match': tag });
const described = (description: string) => bodyOf('workspaces', { description });
const update = (id: string, tag: string, description: string, server = app) =>
  ask(server, 'PATCH', `workspaces/${id}`, { 'if-match': tag }, described(description));
const read = (path: string) => app.get(path, acme.owner.token);

describe('If-None-Match', () => {
  test('what still holds is 304 without a body, of records, of lists and of what is included', async () => {
    const id = await workspace(app, acme);
    const paths = [
      `workspaces/${id}`,
      `workspaces/${id}?include=organization,project`,
      `organizations/${acme.name}/workspaces`,
      `organizations/${acme.name}/workspaces?include=project&page[size]=1`,
      `organizations/${acme.name}`,
      `organizations/${acme.name}/teams`,
      `teams/${teamId}`,
      `projects/${acme.projectId}`,
      `organizations/${acme.name}/organization-memberships?include=user,teams`,
      'account/details',
      'organization/audit-trail?since=2100-01-01',
    ];
    for (const path of paths) {
      const first = await read(path);
      expect([path, first.status, tagOf(first)]).toEqual([
        path,
        200,
        expect.stringMatching(/^"[\w-]{22}(\.[\w-]{22})?"$/),
      ]);
      for (const header of [tagOf(first), `"other", ${tagOf(first)}`, `W/${tagOf(first)}`, '*']) {
        for (const server of [pair.one, pair.two]) {
          const second = await again(path, header, server);
          expect([path, header, second.status, second.text]).toEqual([path, header, 304, '']);
          expect([tagOf(second), second.headers['content-type']]).toEqual([tagOf(first), undefined]);
        }
      }
      const head = await ask(app, 'HEAD', path, { 'if-none-match': tagOf(first) });
      expect([path, head.status]).toEqual([path, 304]);
      for (const header of ['"other"', 'without quotes', '', '"', tagOf(first).toUpperCase()]) {
        expect([path, header, (await again(path, header)).status]).toEqual([path, header, 200]);
      }
    }
  });

  test('a change made through another server is seen at once', async () => {
    const id = await workspace(app, acme);
    for (const path of [`workspaces/${id}`, `organizations/${acme.name}/workspaces?page[size]=100`]) {
      const before = tagOf(await read(path));
      await pair.two.patch(`workspaces/${id}`, acme.owner.token, described(`seen at ${path}`));
      const after = await again(path, before);
      expect([path, after.status]).toEqual([path, 200]);
      expect(tagOf(after)).not.toBe(before);
    }
  });

  test('what is included counts, and tells nothing about the record itself', async () => {
    const projectId = await project(app, acme);
    const id = await workspace(app, acme, { project_id: projectId });
    const path = `workspaces/${id}?include=project`;
    const [plain, before] = [tagOf(await read(`workspaces/${id}`)), tagOf(await read(path))];
    expect(before.startsWith(plain.slice(0, -1))).toBe(true);
    await app.patch(`projects/${projectId}`, acme.owner.token, bodyOf('projects', { description: 'another' }));
    const after = await again(path, before);
    expect([after.status, after.document.included[0].attributes.description]).toEqual([200, 'another']);
    expect(tagOf(after).split('.')[0]).toBe(before.split('.')[0]);
  });

  test('§5.4 callers of other powers are shown other documents, and whoever lost access is told nothing', async () => {
    const id = await workspace(app, acme);
    const readers = await team(app, acme);
    const reader = await member(app, acme, readers);
    await workspaceAccess(app, readers, id, 'read');
    const [own, owners] = [await app.get(`workspaces/${id}`, reader.token), await read(`workspaces/${id}`)];
    expect(tagOf(own)).not.toBe(tagOf(owners));
    const headers = { 'if-none-match': tagOf(own) };
    expect((await app.call('GET', `workspaces/${id}`, { token: reader.token, headers })).status).toBe(304);
    await app.store.read`delete from team_workspaces where team_workspaces.team_id = ${readers}`;
    expect((await app.call('GET', `workspaces/${id}`, { token: reader.token, headers })).status).toBe(404);
  });
});

describe('If-Match', () => {
  test('a change is made to what was read, and to nothing else', async () => {
    const id = await workspace(app, acme);
    const first = tagOf(await read(`workspaces/${id}`));
    const changed = await update(id, first, 'first');
    expect(changed.status).toBe(200);
    const stale = await update(id, first, 'second');
    expect([stale.status, stale.problems]).toEqual([
      412,
      ['The record has changed since it was read. Read it again, and change what is there now.'],
    ]);
    expect((await read(`workspaces/${id}`)).data.attributes.description).toBe('first');
    // The tag of the answer to a change serves for the next one, and so does one that was read with includes.
    expect((await update(id, tagOf(changed), 'third')).status).toBe(200);
    const included = tagOf(await read(`workspaces/${id}?include=project`));
    expect((await update(id, `"old", W/${included}`, 'fourth', pair.two)).status).toBe(200);
    expect((await update(id, '*', 'fifth')).status).toBe(200);
    expect((await update(id, 'no tag', 'sixth')).status).toBe(412);
    expect((await read(`workspaces/${id}`)).data.attributes.description).toBe('fifth');
  });

  test('a tag is as good for a change, whatever was read beside the record', async () => {
    const id = await workspace(app, acme);
    await app.patch(`workspaces/${id}/tag-bindings`, acme.owner.token, {
      data: [{ type: 'tag-bindings', attributes: { key: 'env', value: 'test' } }],
    });
    const set = await app.post(
      `organizations/${acme.name}/varsets`,
      acme.owner.token,
      bodyOf('varsets', { name: 'all', global: true }),
    );
    const variable = bodyOf('vars', { key: 'region', value: 'eu', category: 'terraform' });
    await app.post(`varsets/${set.data.id}/relationships/vars`, acme.owner.token, variable);
    for (const [path, type, include] of [
      [`workspaces/${id}`, 'workspaces', 'current_run,project,locked_by,effective_tag_bindings'],
      [`teams/${teamId}`, 'teams', 'users,organization-memberships'],
      [`varsets/${set.data.id}`, 'varsets', 'vars,workspaces,projects'],
    ] as const) {
      const first = await read(`${path}?include=${include}`);
      expect([path, (await again(`${path}?include=${include}`, tagOf(first))).status]).toEqual([path, 304]);
      const changed = await ask(app, 'PATCH', path, { 'if-match': tagOf(first) }, bodyOf(type, {}));
      expect([path, changed.status]).toEqual([path, 200]);
    }
  });

  test('of many changes of the same reading, through two servers, exactly one is made', async () => {
    const id = await workspace(app, acme);
    for (let round = 0; round < 3; round += 1) {
      const tag = tagOf(await read(`workspaces/${id}`));
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => update(id, tag, `${round}-${index}`, pair.either(index))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 412)).toHaveLength(11);
      const winner = answers.find(({ status }) => status === 200)!;
      expect((await read(`workspaces/${id}`)).data.attributes.description).toBe(winner.data.attributes.description);
    }
  });

  test('deletions, locks and records of other kinds heed it, too', async () => {
    const id = await workspace(app, acme);
    const before = tagOf(await read(`workspaces/${id}`));
    await app.patch(`workspaces/${id}`, acme.owner.token, described('meanwhile'));
    for (const [method, path] of [
      ['DELETE', `workspaces/${id}`],
      ['POST', `workspaces/${id}/actions/lock`],
      ['POST', `workspaces/${id}/actions/safe-delete`],
      ['POST', `workspaces/${id}/relationships/remote-state-consumers`],
    ] as const) {
      expect([path, (await ask(app, method, path, { 'if-match': before })).status]).toEqual([path, 412]);
    }
    const now = tagOf(await read(`workspaces/${id}`));
    expect((await ask(app, 'POST', `workspaces/${id}/actions/lock`, { 'if-match': now })).status).toBe(200);
    for (const [path, type] of [
      [`teams/${teamId}`, 'teams'],
      [`projects/${acme.projectId}`, 'projects'],
      [`organizations/${acme.name}`, 'organizations'],
    ] as const) {
      const tag = tagOf(await read(path));
      const body = bodyOf(type, {});
      expect([path, (await ask(app, 'PATCH', path, { 'if-match': '"another"' }, body)).status]).toEqual([path, 412]);
      expect([path, (await ask(app, 'PATCH', path, { 'if-match': tag }, body)).status]).toEqual([path, 200]);
    }
  });

  test('a change of a whole list is made to the list that was read, or to the record whose it is', async () => {
    const id = await workspace(app, acme);
    const bound = (value: string) => ({ data: [{ type: 'tag-bindings', attributes: { key: 'env', value } }] });
    for (const path of [`workspaces/${id}/tag-bindings`, `workspaces/${id}/relationships/tag-bindings`]) {
      const first = tagOf(await read(path));
      const change = (tag: string, value: string) => ask(app, 'PATCH', path, { 'if-match': tag }, bound(value));
      expect([path, (await change(first, 'test')).status]).toEqual([path, path.includes('relationships') ? 204 : 200]);
      expect([path, (await change(first, 'late')).status]).toEqual([path, 412]);
      expect((await read(path)).data[0].attributes.value).toBe('test');
      const tagOfWorkspace = tagOf(await read(`workspaces/${id}`));
      expect((await change(tagOfWorkspace, 'own')).status).toBeLessThan(300);
      expect((await change('"another"', 'late')).status).toBe(412);
      expect((await change('*', 'free')).status).toBeLessThan(300);
    }
  });

  test('where no record can be read, nothing is done', async () => {
    const path = `organizations/${acme.name}/workspaces`;
    const before = (await read(path)).document.meta.pagination['total-count'];
    const answer = await ask(app, 'POST', path, { 'if-match': '*' }, bodyOf('workspaces', { name: 'never' }));
    expect([answer.status, answer.problems]).toEqual([412, [expect.stringContaining('If-Match')]]);
    expect((await read(path)).document.meta.pagination['total-count']).toBe(before);
    // A record that there could be one of, and is not.
    const token = `teams/${await team(app, acme)}/authentication-token`;
    expect((await ask(app, 'POST', token, { 'if-match': '*' }, {})).status).toBe(412);
    expect((await read(token)).status).toBe(404);
  });

  test('§5.5 who may not change a record learns nothing by it', async () => {
    const id = await workspace(app, acme);
    const stranger = await member(app, acme);
    const headers = { 'if-match': '"guessed"' };
    const answer = await app.call('PATCH', `workspaces/${id}`, {
      token: stranger.token,
      headers,
      body: described('x'),
    });
    expect([answer.status, answer.text]).toEqual([404, '{"errors":[{"status":"404","title":"not found"}]}']);
  });
});
