/** What changed in an organization: nothing is passed over, whatever ends first, and nobody is told of what is not theirs to see. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Document, TestApp } from '../../../test/app.ts';
import { agentRow } from '../../../test/builders/agent.ts';
import {
  bodyOf,
  join,
  member,
  organization,
  person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { configurationVersion, move, run } from '../../../test/builders/run.ts';
import { runTask, workspaceTask } from '../../../test/builders/run-task.ts';
import { agentPool, project, projectAccess, workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';
import { limits } from '../../core/limits.ts';
import { cleanChanges } from './clean.ts';

let pair: Pair;
let app: TestApp;
beforeAll(async () => {
  pair = await openPair();
  app = pair.one;
});
afterAll(() => pair.close());

/** Transactions of other tests, in other databases of the same PostgreSQL, hold everybody's horizon back, too. */
async function settled(): Promise<void> {
  const sql = app.store.read;
  const [own] = await sql`select pg_current_xact_id()::text as id`;
  const isPast = async () => {
    const [now] = await sql`
      select pg_snapshot_xmin(pg_current_snapshot()) > (${own!['id']}::text)::xid8 as is_past`;
    return now!['is_past'];
  };
  await expect.poll(isPast, { timeout: 20_000, interval: 5 }).toBe(true);
}

/** Reads on from a cursor, through both servers by turns, until there is no more of all that has ended. */
async function follow(of: TestOrganization, token: string, cursor?: string, size = 100) {
  await settled();
  return readOn(of, token, cursor, size);
}

/** The same, of what is past the horizon already. */
async function readOn(of: TestOrganization, token: string, cursor: string | undefined, size: number) {
  const found: Document[] = [];
  let next = cursor;
  for (let round = 0; ; round += 1) {
    const query = new URLSearchParams({ 'page[size]': String(size), ...(next !== undefined && { after: next }) });
    const answer = await pair.either(round).get(`organizations/${of.name}/changes?${query}`, token);
    expect(answer.status, answer.text).toBe(200);
    found.push(...answer.data);
    next = answer.document.meta.cursor as string;
    if (!answer.document.meta['has-more']) return { found, cursor: next };
    expect(round).toBeLessThan(1000);
  }
}

const said = (found: readonly Document[]) =>
  found.map(({ attributes }) => [attributes.change, attributes['resource-type'], attributes['resource-id']].join(' '));
const now = async (of: TestOrganization, token = of.owner.token) => (await follow(of, token)).cursor;

describe('what is told', () => {
  test('without a cursor nothing, and from where to go on; behind it each change once, in pages, from either server', async () => {
    const acme = await organization(app);
    const { found, cursor } = await follow(acme, acme.owner.token);
    expect(found).toEqual([]);
    const path = `organizations/${acme.name}/workspaces`;
    const made = await app.post(path, acme.owner.token, bodyOf('workspaces', { name: 'one' }));
    const { id } = made.data;
    await pair.two.post(`workspaces/${id}/actions/lock`, acme.owner.token);
    await app.delete(`workspaces/${id}`, acme.owner.token);
    const expected = [`created workspaces ${id}`, `updated workspaces ${id}`, `deleted workspaces ${id}`];
    for (const size of [1, 2, 100]) {
      const read = await follow(acme, acme.owner.token, cursor, size);
      expect(said(read.found)).toEqual(expected);
      expect((await follow(acme, acme.owner.token, read.cursor)).found).toEqual([]);
    }
    // Each change says where to go on behind it.
    const [first] = (await follow(acme, acme.owner.token, cursor)).found;
    expect(said((await follow(acme, acme.owner.token, first.attributes.cursor)).found)).toEqual(expected.slice(1));
  });

  test('runs, projects, teams, members, access and the organization itself', async () => {
    const acme = await organization(app);
    const id = await workspace(app, acme);
    const cursor = await now(acme);
    const begun = await run(app, acme, id);
    await move(app, begun, 'planning', 'errored');
    const projectId = (
      await app.post(`organizations/${acme.name}/projects`, acme.owner.token, bodyOf('projects', { name: 'another' }))
    ).data.id;
    const teamId = await team(app, acme);
    const someone = await person(app);
    const membershipId = await join(app, acme, someone, teamId);
    await workspaceAccess(app, teamId, id, 'read');
    await app.patch(
      `organizations/${acme.name}`,
      acme.owner.token,
      bodyOf('organizations', { email: 'a@example.com' }),
    );
    const { found } = await follow(acme, acme.owner.token, cursor);
    expect(said(found)).toEqual(
      expect.arrayContaining([
        `created runs ${begun}`,
        `updated runs ${begun}`,
        `updated workspaces ${id}`,
        `created projects ${projectId}`,
        `created teams ${teamId}`,
        `created organization-memberships ${membershipId}`,
        `updated organizations ${acme.name}`,
      ]),
    );
    const ofRun = found.find(({ attributes }) => attributes['resource-id'] === begun);
    expect(ofRun.relationships.workspace.data).toEqual({ type: 'workspaces', id });
    const told = (await follow(acme, someone.token, cursor)).found;
    expect(said(told)).toEqual(expect.arrayContaining([`updated users ${someone.id}`, `updated teams ${teamId}`]));
    expect(said(told).some(one => one.startsWith('created team-workspaces'))).toBe(true);
    expect(said((await follow(acme, acme.owner.token, cursor)).found)).not.toContain(`updated users ${someone.id}`);
  });

  test('a workspace that moves changes both projects', async () => {
    const acme = await organization(app);
    const [id, target] = [await workspace(app, acme), await project(app, acme)];
    const cursor = await now(acme);
    const identifiers = { data: [{ type: 'workspaces', id }] };
    await app.post(`projects/${target}/relationships/workspaces`, acme.owner.token, identifiers);
    const { found } = await follow(acme, acme.owner.token, cursor);
    expect(said(found)).toEqual(
      expect.arrayContaining([
        `updated workspaces ${id}`,
        `updated projects ${target}`,
        `updated projects ${acme.projectId}`,
      ]),
    );
  });
});

describe('§5.4 what stands round workspaces', () => {
  const made = async (path: string, token: string, type: string, attributes: object) => {
    const answer = await app.post(path, token, bodyOf(type, attributes));
    expect([path, answer.status, answer.problems]).toEqual([path, 201, []]);
    return answer.data.id as string;
  };

  test('of a workspace: readers are told of tasks, triggers and configurations, of variables who reads them, of notifications admins', async () => {
    const acme = await organization(app);
    const { token } = acme.owner;
    const [id, source] = [await workspace(app, acme), await workspace(app, acme)];
    const levels = ['read', 'admin', { variables: 'none' }] as const;
    const people = await Promise.all(
      levels.map(async level => {
        const teamId = await team(app, acme);
        await workspaceAccess(app, teamId, id, level);
        return member(app, acme, teamId);
      }),
    );
    const [reader, admin, withoutVariables] = people.map(one => one!.token) as [string, string, string];
    const task = await runTask(app, acme, {});
    const cursor = await now(acme);
    const variable = await made(`workspaces/${id}/vars`, token, 'vars', { key: 'a', value: 'b', category: 'env' });
    const kind = 'notification-configurations';
    const notification = await made(`workspaces/${id}/${kind}`, token, kind, {
      'destination-type': 'slack',
      name: 'on-call',
      url: 'https://hooks.example/1',
      enabled: false,
    });
    const asked = await workspaceTask(app, id, task, { stages: ['post_plan'], enforcement_level: 'advisory' });
    const version = await configurationVersion(app, acme, id);
    const trigger = await app.post(`workspaces/${id}/run-triggers`, token, {
      data: { type: 'run-triggers', relationships: { sourceable: { data: { type: 'workspaces', id: source } } } },
    });
    await app.delete(`workspaces/${id}/vars/${variable}`, token);
    const seen = [
      `created workspace-tasks ${asked}`,
      `created configuration-versions ${version}`,
      `created run-triggers ${trigger.data.id}`,
    ];
    const ofVariables = [`created vars ${variable}`, `deleted vars ${variable}`];
    const ofNotifications = [`created notification-configurations ${notification}`];
    const told = async (by: string) => said((await follow(acme, by, cursor)).found);
    const all = [...seen, ...ofVariables, ...ofNotifications];
    const toldOf = async (by: string) => {
      const found = await told(by);
      return all.filter(one => found.includes(one));
    };
    expect(await toldOf(reader)).toEqual([...seen, ...ofVariables]);
    expect(await toldOf(admin)).toEqual(all);
    expect(await toldOf(withoutVariables)).toEqual(seen);
    expect(await toldOf((await member(app, acme)).token)).toEqual([]);
    // From both ends of a trigger.
    const ends = (await follow(acme, token, cursor)).found.filter(
      ({ attributes }) => attributes['resource-id'] === trigger.data.id,
    );
    expect(ends.map(({ relationships }) => relationships.workspace.data.id).sort()).toEqual([id, source].sort());
    const last = await now(acme);
    await app.delete(`workspaces/${id}`, token);
    const end = said((await follow(acme, token, last)).found).filter(one => !one.includes('team-workspaces'));
    // The other end of the trigger is still there.
    expect(end).toEqual([`deleted workspaces ${id}`, `deleted run-triggers ${trigger.data.id}`]);
  });

  test('of an organization: members are told of pools, agents, tasks and keys of tags, of connections who may list them', async () => {
    const acme = await organization(app);
    const { token } = acme.owner;
    const teamId = await team(app, acme);
    await app.patch(
      `teams/${teamId}`,
      token,
      bodyOf('teams', { 'organization-access': { 'manage-vcs-settings': true } }),
    );
    const [anybody, manager] = [await member(app, acme), await member(app, acme, teamId)];
    const cursor = await now(acme);
    const of = `organizations/${acme.name}`;
    const pool = await agentPool(app, acme);
    const agentId = await agentRow(app, { agent_pool_id: pool });
    const task = await runTask(app, acme, {});
    const reserved = await made(`${of}/reserved-tag-keys`, token, 'reserved-tag-keys', { key: 'env' });
    const key = await made(`${of}/ssh-keys`, token, 'ssh-keys', { name: 'modules', value: 'key' });
    await app.patch(`agent-pools/${pool}`, token, {
      data: {
        type: 'agent-pools',
        attributes: { 'organization-scoped': false },
        relationships: { 'allowed-projects': { data: [{ type: 'projects', id: acme.projectId }] } },
      },
    });
    await app.store.read`update agents set last_ping_at = now() + interval '1 second' where agents.id = ${agentId}`;
    await app.store.read`update agents set exited_at = now() where agents.id = ${agentId}`;
    const open = [
      `created agent-pools ${pool}`,
      `created agents ${agentId}`,
      `created tasks ${task}`,
      `created reserved-tag-keys ${reserved}`,
      `updated agent-pools ${pool}`,
      `updated agent-pools ${pool}`,
      `updated agents ${agentId}`,
    ];
    const told = async (by: string) => said((await follow(acme, by, cursor)).found);
    expect(await told(anybody.token)).toEqual(open);
    expect(await told(manager.token)).toEqual([...open.slice(0, 4), `created ssh-keys ${key}`, ...open.slice(4)]);
    const later = await now(acme);
    const older = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 7 });
    await app.post(`${of}/relationships/data-retention-policy`, token, older);
    expect(said((await follow(acme, anybody.token, later)).found)).toContain(`updated organizations ${acme.name}`);
  });

  test('of variable sets, their variables and places: whoever may read the set, and an act on many is one change', async () => {
    const acme = await organization(app);
    const { token } = acme.owner;
    const [reading, elsewhere] = [await team(app, acme), await team(app, acme)];
    const [inside, outside] = [await workspace(app, acme), await workspace(app, acme)];
    await workspaceAccess(app, reading, inside, 'read');
    await workspaceAccess(app, elsewhere, outside, 'read');
    const [reader, other] = [await member(app, acme, reading), await member(app, acme, elsewhere)];
    const set = await made(`organizations/${acme.name}/varsets`, token, 'varsets', { name: 'common' });
    const cursor = await now(acme);
    const places = (ids: readonly string[]) => ({ data: ids.map(id => ({ type: 'workspaces', id })) });
    await app.post(`varsets/${set}/relationships/workspaces`, token, places([inside]));
    const region = { key: 'region', value: 'eu', category: 'terraform' };
    const variable = await made(`varsets/${set}/relationships/vars`, token, 'vars', region);
    await app.patch(`varsets/${set}/relationships/vars/${variable}`, token, bodyOf('vars', { value: 'us' }));
    await app.patch(`varsets/${set}`, token, bodyOf('varsets', { name: 'regions' }));
    await app.delete(`varsets/${set}/relationships/vars/${variable}`, token);
    const told = async (by: string) => said((await follow(acme, by, cursor)).found);
    const five = Array.from({ length: 5 }, () => `updated varsets ${set}`);
    expect(await told(token)).toEqual(five);
    expect(await told(reader.token)).toEqual(five);
    expect(await told(other.token)).toEqual([]);

    const later = await now(acme);
    await app.delete(`varsets/${set}/relationships/workspaces`, token, places([inside]));
    await app.post(`varsets/${set}/relationships/workspaces`, token, places([inside, outside]));
    await app.delete(`varsets/${set}`, token);
    expect(said((await follow(acme, token, later)).found)).toEqual([
      `updated varsets ${set}`,
      `updated varsets ${set}`,
      `deleted varsets ${set}`,
    ]);
  });
});

describe('§5.4 who is told', () => {
  test('of workspaces and their runs whoever may read them, also of their end', async () => {
    const acme = await organization(app);
    const projectId = await project(app, acme);
    const [direct, within] = [await team(app, acme), await team(app, acme)];
    const [one, other] = [await workspace(app, acme, { project_id: projectId }), await workspace(app, acme)];
    await workspaceAccess(app, direct, one, 'read');
    await projectAccess(app, within, projectId, 'read');
    const people = [await member(app, acme, direct), await member(app, acme, within), await member(app, acme)];
    const cursor = await now(acme);
    for (const id of [one, other]) {
      await run(app, acme, id);
      expect((await app.delete(`workspaces/${id}`, acme.owner.token)).status).toBe(204);
    }
    const told = await Promise.all(people.map(async ({ token }) => (await follow(acme, token, cursor)).found));
    for (const found of told.slice(0, 2)) {
      expect(said(found)).toContain(`deleted workspaces ${one}`);
      expect(JSON.stringify(found)).not.toContain(other);
    }
    expect(JSON.stringify(told[2])).not.toMatch(new RegExp(`${one}|${other}`));
    expect(said((await follow(acme, acme.owner.token, cursor)).found)).toContain(`deleted workspaces ${other}`);
  });

  test('§5.3 of secret teams their members and the owners', async () => {
    const acme = await organization(app);
    const outsider = await member(app, acme);
    const cursor = await now(acme);
    const secret = await team(app, acme);
    const insider = await member(app, acme, secret);
    await app.patch(`teams/${secret}`, acme.owner.token, bodyOf('teams', { 'sso-team-id': 'x' }));
    expect(JSON.stringify((await follow(acme, outsider.token, cursor)).found)).not.toContain(secret);
    expect(said((await follow(acme, insider.token, cursor)).found)).toContain(`updated teams ${secret}`);
    await app.delete(`teams/${secret}`, acme.owner.token);
    expect(JSON.stringify((await follow(acme, outsider.token, cursor)).found)).not.toContain(secret);
    expect(said((await follow(acme, acme.owner.token, cursor)).found)).toContain(`deleted teams ${secret}`);
  });

  test('§5.5 nobody of another organization; the cursor of one is none to the other’s events', async () => {
    const [acme, globex] = [await organization(app), await organization(app)];
    const cursor = await now(acme);
    await workspace(app, globex);
    expect((await app.get(`organizations/${globex.name}/changes`, acme.owner.token)).status).toBe(404);
    expect((await follow(acme, acme.owner.token, cursor)).found).toEqual([]);
  });
});

describe('nothing is lost', () => {
  test('a transaction that ends after a later one is told of, and in its turn', async () => {
    const acme = await organization(app);
    const [early, late] = [await workspace(app, acme), await workspace(app, acme)];
    const cursor = await now(acme);
    const touch = (sql: TestApp['store']['read'], id: string) =>
      sql`update workspaces set description = 'touched', revision = default where workspaces.id = ${id}`;
    let between: Document[] = [];
    let standing = '';
    await app.store.transaction(async sql => {
      await touch(sql, early);
      await touch(pair.two.store.read, late);
      const read = await readOn(acme, acme.owner.token, cursor, 100);
      [between, standing] = [read.found, read.cursor];
    });
    // The later change waits for the earlier one: whoever read on in between misses neither.
    expect(between).toEqual([]);
    for (const from of [cursor, standing]) {
      const { found } = await follow(acme, acme.owner.token, from);
      expect(said(found)).toEqual([`updated workspaces ${early}`, `updated workspaces ${late}`]);
    }
  });

  test('of many changes at once, some of which end late, readers find every one exactly once', async () => {
    const acme = await organization(app);
    const ids = await Promise.all(Array.from({ length: 8 }, () => workspace(app, acme)));
    let cursor = await now(acme);
    let isWriting = true;
    const written: string[] = [];
    const write = async (worker: number) => {
      for (let round = 0; round < 12; round += 1) {
        const id = ids[(worker * 5 + round) % ids.length]!;
        const description = `${worker}-${round}`;
        await pair.either(worker).store.transaction(async sql => {
          await sql`update workspaces set description = ${description}, revision = default where workspaces.id = ${id}`;
          if (round % 3 === worker % 3) await new Promise(resolve => setTimeout(resolve, Math.random() * 30));
        });
        written.push(id);
      }
    };
    const found: Document[] = [];
    const read = async () => {
      for (let isLast = false; ; isLast = !isWriting) {
        if (isLast) await settled();
        const next = await readOn(acme, acme.owner.token, cursor, 7);
        found.push(...next.found);
        cursor = next.cursor;
        if (isLast) return;
      }
    };
    const reading = read();
    await Promise.all(Array.from({ length: 6 }, (_, worker) => write(worker)));
    isWriting = false;
    await reading;
    const changed = found.filter(({ attributes }) => attributes['resource-type'] === 'workspaces');
    expect(new Set(changed.map(({ id }) => id)).size).toBe(changed.length);
    expect(changed.map(({ attributes }) => attributes['resource-id']).sort()).toEqual(written.sort());
  });

  test('what is undone is not told', async () => {
    const acme = await organization(app);
    const id = await workspace(app, acme);
    const cursor = await now(acme);
    const undone = app.store.transaction(async sql => {
      await sql`update workspaces set description = 'never', revision = default where workspaces.id = ${id}`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await follow(acme, acme.owner.token, cursor)).found).toEqual([]);
  });

  test('whoever may see little of much goes on behind all of it', async () => {
    const acme = await organization(app);
    const outsider = await member(app, acme);
    const id = await workspace(app, acme);
    const cursor = await now(acme, outsider.token);
    await app.store.read`
      insert into changes (organization_id, type, record_id, change, audience, workspace_id)
      select ${acme.key}, 'workspaces', ${id}, 'updated', 'workspace', ${id} from generate_series(1, 4500)`;
    const path = `organizations/${acme.name}/changes`;
    // Told once nothing is under way that began before, in any database of this PostgreSQL.
    const first = async () => {
      const { data, document } = await app.get(`${path}?after=${cursor}`, outsider.token);
      return [data, document.meta['has-more']];
    };
    await expect.poll(first, { timeout: 10_000 }).toEqual([[], true]);
    expect((await follow(acme, outsider.token, cursor)).found).toEqual([]);
    expect((await follow(acme, acme.owner.token, cursor)).found).toHaveLength(4500);
  });
});

describe('waiting', () => {
  test('an answer is put off until another server makes a change that the caller may see', async () => {
    const acme = await organization(app);
    const id = await workspace(app, acme);
    const cursor = await now(acme);
    const outsider = await member(app, acme);
    const from = await now(acme);
    const waiting = app.get(
      `organizations/${acme.name}/changes?after=${cursor}&wait=${limits.longPoll_ms.value / 1000}`,
      acme.owner.token,
    );
    const tooLong = `organizations/${acme.name}/changes?wait=${limits.longPoll_ms.value / 1000 + 1}`;
    expect((await app.get(tooLong, acme.owner.token)).status).toBe(400);
    const unseen = app.get(`organizations/${acme.name}/changes?after=${from}&wait=2`, outsider.token);
    await new Promise(resolve => setTimeout(resolve, 300));
    await pair.two.patch(`workspaces/${id}`, acme.owner.token, bodyOf('workspaces', { description: 'seen' }));
    expect(said((await waiting).data).at(-1)).toBeOneOf([
      `updated workspaces ${id}`,
      expect.stringMatching(/^(created organization-memberships|updated users)/),
    ]);
    const nothing = await unseen;
    expect([nothing.status, nothing.data]).toEqual([200, []]);
  });

  test('who waits while the permission ends is told nothing but that', async () => {
    const acme = await organization(app);
    const teamId = await team(app, acme);
    const leaver = await member(app, acme, teamId);
    const id = await workspace(app, acme);
    await workspaceAccess(app, teamId, id, 'read');
    const cursor = await now(acme, leaver.token);
    const waiting = app.get(`organizations/${acme.name}/changes?after=${cursor}&wait=30`, leaver.token);
    await new Promise(resolve => setTimeout(resolve, 300));
    await app.store.read`delete from organization_memberships where organization_memberships.user_id = ${leaver.id}`;
    expect((await waiting).status).toBe(404);
  });

  test('a caller waits a few times at once, and is refused beyond that', async () => {
    const acme = await organization(app);
    const cursor = await now(acme);
    const ask = () => app.get(`organizations/${acme.name}/changes?after=${cursor}&wait=3`, acme.owner.token);
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(8).fill(200), 429, 429]);
    expect((await ask()).status).toBe(200);
  });
});

describe('cursors', () => {
  test('malformed → 400; too old, or of a database that was further → 410', async () => {
    const acme = await organization(app);
    const path = `organizations/${acme.name}/changes`;
    const large = '9'.repeat(19);
    const malformed = ['x', '1', '1-2', '-1-2-3', '1-2-3-4', `9${large}-1-zzzzzzzz`, `1-${large}-zzzzzzzz`, '1 -2-a'];
    for (const after of malformed) {
      const { status, pointers } = await app.get(`${path}?after=${encodeURIComponent(after)}`, acme.owner.token);
      expect([after, status, pointers]).toEqual([after, 400, ['after']]);
    }
    const hour_ms = 3_600_000;
    const old = `1-0-${(Date.now() - (limits.keptChanges_hours.value + 1) * hour_ms).toString(36)}`;
    expect((await app.get(`${path}?after=${old}`, acme.owner.token)).status).toBe(410);
    const ahead = `99999999999-0-${Date.now().toString(36)}`;
    expect((await app.get(`${path}?after=${ahead}`, acme.owner.token)).status).toBe(410);
  });

  test('changes older than a day, and those of a restored database’s other life, are deleted', async () => {
    const acme = await organization(app);
    const insert = (at: string, transaction: string) => app.store.read`
      insert into changes (organization_id, transaction_id, occurred_at, type, record_id, change, audience)
      values (${acme.key}, (${transaction}::text)::xid8, now() - (${at}::text)::interval, 'teams', 'team-x', 'updated', 'members')`;
    await insert(`${limits.keptChanges_hours.value + 2} hours`, '10');
    await insert('1 hour', '11');
    await insert('1 hour', '99999999999');
    await Promise.all([cleanChanges(app.store), cleanChanges(pair.two.store)]);
    const left = await app.store.read`
      select changes.transaction_id::text as transaction from changes
      where changes.organization_id = ${acme.key} and changes.record_id = 'team-x'`;
    expect(left.map(row => row['transaction'])).toEqual(['11']);
  });

  test('an organization that ends leaves no changes', async () => {
    const acme = await organization(app);
    await run(app, acme, await workspace(app, acme));
    expect((await app.delete(`organizations/${acme.name}`, acme.owner.token)).status).toBe(204);
    const left = await app.store.read`select from changes where changes.organization_id = ${acme.key}`;
    expect(left).toHaveLength(0);
  });
});
