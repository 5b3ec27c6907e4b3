import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { runTrigger, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let owner: string;
let id: string;
let source: string;
beforeAll(async () => {
  acme = await organization(app);
  owner = acme.owner.token;
});
beforeEach(async () => {
  id = await workspace(app, acme, { name: 'network' });
  source = await workspace(app, acme, { name: 'base' });
  return async () => {
    for (const one of [id, source]) await app.delete(`workspaces/${one}`, owner);
  };
});

const naming = (sourceId: string | null) =>
  bodyOf('run-triggers', {}, { sourceable: { data: sourceId && { type: 'workspaces', id: sourceId } } });
const create = (sourceId: string | null, token = owner, of = id) =>
  app.post(`workspaces/${of}/run-triggers`, token, naming(sourceId));
const list = (of: string, type: string, query = '', token = owner) =>
  app.get(`workspaces/${of}/run-triggers?filter[run-trigger][type]=${type}${query}`, token);
const idsOf = ({ data }: Document): string[] => data.map((one: Document) => one.id);

describe('records', () => {
  test('§4.2 a trigger is created, shown, listed from both sides, and deleted', async () => {
    const created = await create(source);
    expect(created.status).toBe(201);
    expect(created.data).toEqual({
      id: expect.stringMatching(/^rt-[A-Za-z0-9]{16}$/),
      type: 'run-triggers',
      attributes: {
        'created-at': expect.stringMatching(/Z$/),
        'sourceable-name': 'base',
        'workspace-name': 'network',
      },
      relationships: {
        sourceable: { data: { type: 'workspaces', id: source }, links: { related: `/api/v2/workspaces/${source}` } },
        workspace: { data: { type: 'workspaces', id }, links: { related: `/api/v2/workspaces/${id}` } },
      },
      links: { self: `/api/v2/run-triggers/${created.data.id}` },
    });
    const path = `run-triggers/${created.data.id}`;
    expect((await app.get(path, owner)).data).toEqual(created.data);
    expect((await list(id, 'inbound')).data).toEqual([created.data]);
    expect((await list(source, 'outbound')).data).toEqual([created.data]);
    for (const [of, type] of [
      [id, 'outbound'],
      [source, 'inbound'],
    ] as const) {
      expect((await list(of, type)).data).toEqual([]);
    }
    expect((await app.delete(path, owner)).status).toBe(204);
    for (const again of [await app.get(path, owner), await app.delete(path, owner)]) expect(again.status).toBe(404);
  });

  test('§4.2 include brings both workspaces, on the list and on one', async () => {
    const created = await create(source);
    const both = [id, source].sort();
    for (const path of [
      `run-triggers/${created.data.id}?include=workspace,sourceable`,
      `workspaces/${id}/run-triggers?filter[run-trigger][type]=inbound&include=workspace,sourceable`,
    ]) {
      const { document } = await app.get(path, owner);
      expect(idsOf({ data: document.included }).sort()).toEqual(both);
    }
  });

  test('§4.2 two workspaces may be the source of each other', async () => {
    expect((await create(source)).status).toBe(201);
    expect((await create(id, owner, source)).status).toBe(201);
  });

  test('§1 pages, oldest first', async () => {
    const first = await create(source);
    const second = await create(await workspace(app, acme));
    expect(idsOf(await list(id, 'inbound'))).toEqual([first.data.id, second.data.id]);
    const page = await list(id, 'inbound', '&page[size]=1&page[number]=2');
    expect([idsOf(page), page.document.meta.pagination['total-count']]).toEqual([[second.data.id], 2]);
    const beyond = await list(id, 'inbound', '&page[number]=999&page[size]=100');
    expect([beyond.data, beyond.document.meta.pagination['current-page']]).toEqual([[], 999]);
  });

  test('§1 a list without its filter, or with another word → 400 at the parameter', async () => {
    for (const query of ['', '?filter[run-trigger][type]=', '?filter[run-trigger][type]=both']) {
      const answer = await app.get(`workspaces/${id}/run-triggers${query}`, owner);
      expect([answer.status, answer.pointers]).toEqual([400, ['filter[run-trigger][type]']]);
    }
  });

  test('§6 creating and deleting stand in the audit events, under the name of the source', async () => {
    const { data } = await create(source);
    await app.delete(`run-triggers/${data.id}`, owner);
    const events = await app.get(`organizations/${acme.name}/audit-events?filter[resource][id]=${data.id}`, owner);
    expect(events.data.map(({ attributes }: Document) => [attributes.action, attributes['resource-name']])).toEqual([
      ['run-triggers.delete', 'base'],
      ['run-triggers.create', 'base'],
    ]);
    expect(events.data[1].attributes.changes).toEqual({
      created_at: [null, data.attributes['created-at']],
      id: [null, data.id],
      organization_id: [null, acme.key],
      sourceable_id: [null, source],
      sourceable_name: [null, 'base'],
      workspace_id: [null, id],
      workspace_name: [null, 'network'],
    });
  });
});

describe('rules', () => {
  test('§4.2 itself, nothing, and a second time are refused at the relationship', async () => {
    expect((await create(source)).status).toBe(201);
    const send = (relationships?: object) =>
      app.post(`workspaces/${id}/run-triggers`, owner, bodyOf('run-triggers', {}, relationships));
    const refused = [
      await create(id),
      await create(null),
      await create(source),
      await send(),
      await send({ sourceable: {} }),
    ];
    for (const { status, pointers } of refused) {
      expect([status, pointers]).toEqual([422, ['/data/relationships/sourceable']]);
    }
    expect(idsOf(await list(id, 'inbound'))).toHaveLength(1);
  });

  test('§4.2 a source of another type, and a body of another type, are refused where they stand', async () => {
    const other = bodyOf('teams', {}, { sourceable: { data: { type: 'projects', id: acme.projectId } } });
    const answer = await app.post(`workspaces/${id}/run-triggers`, owner, other);
    expect([answer.status, answer.pointers.sort()]).toEqual([
      422,
      ['/data/relationships/sourceable/data/type', '/data/type'],
    ]);
  });

  test('§4.2 the type may be left out', async () => {
    const data = { relationships: { sourceable: { data: { type: 'workspaces', id: source } } } };
    expect((await app.post(`workspaces/${id}/run-triggers`, owner, { data })).status).toBe(201);
  });

  test('§4.2 twenty sources, and not one more until one is gone', async () => {
    const made = [];
    for (let number = 0; number < 20; number += 1) made.push(await create(await workspace(app, acme)));
    expect(made.map(({ status }) => status)).toEqual(Array(20).fill(201));
    const refused = await create(source);
    expect([refused.status, refused.problems]).toEqual([422, [expect.stringContaining('at most 20')]]);
    expect((await create(id, owner, source)).status).toBe(201);
    await app.delete(`run-triggers/${made[7]!.data.id}`, owner);
    expect((await create(source)).status).toBe(201);
  });

  test('§4.2 a trigger goes with either of its workspaces', async () => {
    const third = await workspace(app, acme);
    const { data: in1 } = await create(source);
    const { data: in2 } = await create(id, owner, third);
    expect((await app.delete(`workspaces/${id}`, owner)).status).toBe(204);
    for (const { id: gone } of [in1, in2]) expect((await app.get(`run-triggers/${gone}`, owner)).status).toBe(404);
  });
});

describe('who may', () => {
  const missing = async (token: string) => (await app.get('run-triggers/rt-0000000000000000', token)).text;

  test('§5.5 a source of another organization is none, even to who reads both', async () => {
    const rival = await organization(app, { owner: acme.owner });
    const answer = await create(await workspace(app, rival));
    expect([answer.status, answer.text]).toEqual([404, await missing(owner)]);
  });

  test('§5.4 creating takes admin on the workspace, and reading the source', async () => {
    const some = await team(app, acme);
    const { token } = await member(app, acme, some);
    await workspaceAccess(app, some, id, 'admin');
    expect((await create(source, token)).text).toBe(await missing(token));
    await workspaceAccess(app, some, source, { runs: 'read' });
    expect((await create(source, token)).status).toBe(201);
    expect((await create(id, token, source)).text).toBe(await missing(token));
  });

  test('§5.5 nobody learns of a source, or of what it begins, without reading it: not in lists, counts or by id', async () => {
    const hidden = await workspace(app, acme, { name: 'hidden' });
    const triggers = [await runTrigger(app, id, source), await runTrigger(app, id, hidden)];
    const outward = await runTrigger(app, hidden, id);
    const some = await team(app, acme);
    const { token } = await member(app, acme, some);
    for (const one of [id, source]) await workspaceAccess(app, some, one, 'admin');
    const inbound = await list(id, 'inbound', '&include=workspace,sourceable', token);
    expect(idsOf(inbound)).toEqual([triggers[0]]);
    expect(inbound.document.meta.pagination['total-count']).toBe(1);
    expect(inbound.text).not.toContain('hidden');
    const outbound = await list(id, 'outbound', '', token);
    expect([outbound.data, outbound.document.meta.pagination['total-count']]).toEqual([[], 0]);
    for (const one of [triggers[1], outward]) {
      expect((await app.get(`run-triggers/${one}`, token)).text).toBe(await missing(token));
      expect((await app.delete(`run-triggers/${one}`, token)).text).toBe(await missing(token));
    }
    expect(idsOf(await list(id, 'inbound'))).toHaveLength(2);
  });

  test('§5.4 who reads both workspaces shows it; only admins of the one it begins runs in delete it', async () => {
    const trigger = await runTrigger(app, id, source);
    const answers = async (onWorkspace: 'read' | 'write' | 'admin', onSource: 'read' | 'admin') => {
      const some = await team(app, acme);
      const { token } = await member(app, acme, some);
      await workspaceAccess(app, some, id, onWorkspace);
      await workspaceAccess(app, some, source, onSource);
      const [shown, gone] = [
        await app.get(`run-triggers/${trigger}`, token),
        await app.delete(`run-triggers/${trigger}`, token),
      ];
      return [shown.status, gone.status];
    };
    expect(await answers('read', 'admin')).toEqual([200, 404]);
    expect(await answers('write', 'read')).toEqual([200, 404]);
    expect(await answers('admin', 'read')).toEqual([200, 204]);
  });

  test('§5.5 strangers read 404 for all of it', async () => {
    const trigger = await runTrigger(app, id, source);
    const { token } = await person(app);
    const answers = [
      await list(id, 'inbound', '', token),
      await create(source, token),
      await app.get(`run-triggers/${trigger}`, token),
      await app.delete(`run-triggers/${trigger}`, token),
    ];
    for (const { text } of answers) expect(text).toBe(await missing(token));
  });
});
