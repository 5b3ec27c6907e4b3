/** No audit, no change: a write whose event cannot be recorded is not done. */

import { describe, expect, test } from 'vitest';
import { openApp, useApp } from '../../../test/app.ts';
import { bodyOf, organization, person, randomName, team } from '../../../test/builders/records.ts';
import { rowCounts } from '../../../test/nets/rows.ts';
import { limits } from '../../core/limits.ts';

describe('without an audit', () => {
  test('no create, update or delete succeeds, and nothing has changed', async () => {
    const app = await openApp({ TERRANE_LOG_LEVEL: 'silent' });
    const acme = await organization(app);
    const administrator = await person(app, { isAdmin: true });
    const teamId = await team(app, acme, { name: 'before' });
    const sql = app.store.read;
    const contents = async () => ({
      counts: await rowCounts(app.store),
      team: await sql`select teams.* from teams where teams.id = ${teamId}`,
    });
    await sql`alter table audit_events add constraint no_more check (false) not valid`;
    const before = await contents();
    const named = bodyOf('teams', { name: 'after' });
    const answers = [
      await app.post(`organizations/${acme.name}/teams`, acme.owner.token, named),
      await app.patch(`teams/${teamId}`, acme.owner.token, named),
      await app.delete(`teams/${teamId}`, acme.owner.token),
      await app.post(
        'organizations',
        administrator.token,
        bodyOf('organizations', { name: randomName('org'), email: 'a@example.com' }),
      ),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(500);
      expect(text).not.toMatch(/no_more|audit/);
    }
    expect(await contents()).toEqual(before);
    expect((await app.get(`teams/${teamId}`, acme.owner.token)).status).toBe(200);
    await sql`alter table audit_events drop constraint no_more`;
    expect((await app.patch(`teams/${teamId}`, acme.owner.token, named)).status).toBe(200);
    await app.close();
  });
});

describe('an event', () => {
  const app = useApp();
  const events = (requestId: string | undefined) => app.store.read`
    select audit_events.* from audit_events where audit_events.request_id = ${requestId ?? ''}`;

  test('tells long texts and lists in short, and not what only hangs from the record', async () => {
    const acme = await organization(app);
    const patterns = Array.from({ length: 80 }, (_, index) => `/path/${index}`);
    const attributes = { name: 'large', description: 'é'.repeat(3000), 'trigger-prefixes': patterns };
    const path = `organizations/${acme.name}/workspaces`;
    const made = await app.post(path, acme.owner.token, bodyOf('workspaces', attributes));
    expect(made.status).toBe(201);
    const [event] = await events(made.headers['x-request-id']);
    const changes = event!['changes'];
    expect(changes['description'][1]).toBe(`${'é'.repeat(limits.auditText_characters.value)}… (3000 characters)`);
    expect(changes['trigger_prefixes'][1]).toEqual([...patterns.slice(0, limits.auditList_items.value), 'and 30 more']);
    expect(Object.keys(changes)).not.toEqual(expect.arrayContaining(['output_ids']));
    expect(Object.keys(changes)).not.toEqual(expect.arrayContaining(['variable_ids']));
  });

  test('says nothing of what the caller may do', async () => {
    const acme = await organization(app);
    const made = await app.post(
      `organizations/${acme.name}/workspaces`,
      acme.owner.token,
      bodyOf('workspaces', { name: 'made' }),
    );
    const content = await app.post(`workspaces/${made.data.id}/configuration-versions`, acme.owner.token);
    for (const { status, headers } of [made, content]) {
      expect(status).toBe(201);
      const [event] = await events(headers['x-request-id']);
      expect(Object.keys(event!['changes'])).toContain('id');
      expect(Object.keys(event!['changes']).filter(name => /powers$|^can_|^(stamp|revision)$/.test(name))).toEqual([]);
    }
  });

  test('says who did what to which record, in which request, and what changed', async () => {
    const acme = await organization(app);
    const { token, id, username } = acme.owner;
    const created = await app.post(`organizations/${acme.name}/teams`, token, bodyOf('teams', { name: 'one' }));
    const teamId = created.data.id;
    const updated = await app.patch(`teams/${teamId}`, token, bodyOf('teams', { name: 'two' }));
    const deleted = await app.delete(`teams/${teamId}`, token);
    const about = { organization_id: acme.key, actor_type: 'user', actor_id: id, actor_name: username };
    const team = { ...about, resource_type: 'teams', resource_id: teamId, remote_address: '127.0.0.1' };
    const [create, update, remove] = await Promise.all(
      [created, updated, deleted].map(({ headers }) => events(headers['x-request-id'])),
    );
    expect(create).toMatchObject([{ ...team, action: 'teams.create', resource_name: 'one' }]);
    expect(create![0]!['changes']).toMatchObject({ name: [null, 'one'], visibility: [null, 'secret'] });
    expect(update).toMatchObject([{ ...team, action: 'teams.update', resource_name: 'two' }]);
    expect(update![0]!['changes']).toEqual({ name: ['one', 'two'] });
    expect(remove).toMatchObject([{ ...team, action: 'teams.delete', resource_name: 'two' }]);
    expect(JSON.stringify([create, update, remove])).not.toContain(token);
  });

  test('is not written for what is only read, or refused', async () => {
    const acme = await organization(app);
    const answers = [
      await app.get(`organizations/${acme.name}/teams`, acme.owner.token),
      await app.post(`organizations/${acme.name}/teams`, acme.owner.token, bodyOf('teams', { name: 'a b' })),
      await app.delete('teams/none', acme.owner.token),
      await app.delete(`teams/${acme.ownersTeamId}`, acme.owner.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 404, 403]);
    for (const { headers } of answers) expect(await events(headers['x-request-id'])).toEqual([]);
  });
});
