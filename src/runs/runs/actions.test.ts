import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { member, organization, type TestOrganization, team } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace, workspaceAccess } from '../../../test/builders/workspace.ts';
import { statusesThat } from '../queue/statuses.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const act = (id: string, action: string, body?: unknown, token = acme.owner.token) =>
  app.post(`runs/${id}/actions/${action}`, token, body);
const show = async (path: string) => (await app.get(path, acme.owner.token)).data;
const statusOf = async (id: string): Promise<string> => (await show(`runs/${id}`)).attributes.status;
const lockOf = async (id: string) => {
  const { attributes, relationships } = await show(`workspaces/${id}`);
  return { locked: attributes.locked, by: relationships['locked-by'].data, run: relationships['current-run'].data?.id };
};

async function planned(): Promise<{ id: string; workspaceId: string }> {
  const workspaceId = await workspace(app, acme);
  const id = await run(app, acme, workspaceId);
  await move(app, id, 'planning', 'planned');
  return { id, workspaceId };
}

describe('apply', () => {
  test('a planned run is confirmed by the caller and queued, and holds the workspace on → 202 without a body', async () => {
    const { id, workspaceId } = await planned();
    const { status, text } = await act(id, 'apply', {});
    expect([status, text]).toEqual([202, '']);
    const { attributes, relationships } = await show(`runs/${id}`);
    expect(attributes.status).toBe('apply_queued');
    expect(Object.keys(attributes['status-timestamps'])).toContain('confirmed-at');
    expect(relationships['confirmed-by'].data).toEqual({ type: 'users', id: acme.owner.id });
    expect((await show(`runs/${id}/apply`)).attributes.status).toBe('queued');
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id }, run: id });
  });

  test('a comment becomes one of the run, beside the event', async () => {
    const { id } = await planned();
    await act(id, 'apply', { comment: 'Looks good' });
    const { relationships } = await show(`runs/${id}`);
    const [{ id: commentId }] = relationships.comments.data;
    expect((await show(`comments/${commentId}`)).attributes.body).toBe('Looks good');
    const { document } = await app.get(`runs/${id}/run-events?include=actor,comment`, acme.owner.token);
    const confirmed = document.data.find(
      (event: { attributes: { action: string } }) => event.attributes.action === 'confirmed',
    );
    expect(confirmed.relationships.comment.data.id).toBe(commentId);
    expect(document.included.map(({ type }: { type: string }) => type).sort()).toEqual(['comments', 'users']);
  });

  test('a saved plan takes the workspace when it is applied, and is refused while somebody else has it', async () => {
    const workspaceId = await workspace(app, acme);
    const saved = await run(app, acme, workspaceId, { save_plan: true });
    await move(app, saved, 'planning', 'planned_and_saved');
    const other = await run(app, acme, workspaceId);
    const { status } = await act(saved, 'apply');
    expect([status, await statusOf(saved)]).toEqual([409, 'planned_and_saved']);
    await act(other, 'cancel');
    expect((await act(saved, 'apply')).status).toBe(202);
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id: saved }, run: saved });
  });
});

test('a body that says nothing says no comment → 202', async () => {
  for (const body of [undefined, null, {}, { comment: null }, { comment: '' }]) {
    const { id } = await planned();
    expect([body, (await act(id, 'discard', body)).status]).toEqual([body, 202]);
    expect((await show(`runs/${id}`)).relationships.comments.data).toEqual([]);
  }
});

describe('an end', () => {
  test('lets go of the workspace, and the next pending run takes it', async () => {
    const { id, workspaceId } = await planned();
    const [second, third] = [await run(app, acme, workspaceId), await run(app, acme, workspaceId)];
    expect((await act(id, 'discard', { comment: 'No' })).status).toBe(202);
    expect(await statusOf(id)).toBe('discarded');
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id: second }, run: second });
    expect([await statusOf(second), await statusOf(third)]).toEqual(['plan_queued', 'pending']);
    expect((await act(second, 'cancel')).status).toBe(202);
    expect((await act(third, 'cancel')).status).toBe(202);
    expect(await lockOf(workspaceId)).toEqual({ locked: false, by: null, run: third });
    expect((await show(`runs/${third}`)).attributes['canceled-at']).toEqual(expect.any(String));
  });

  test('of a run that only waited leaves the one that holds the workspace alone', async () => {
    const { id, workspaceId } = await planned();
    const second = await run(app, acme, workspaceId);
    expect((await act(second, 'discard')).status).toBe(202);
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id }, run: id });
  });

  test('makes what has begun canceled, and what has not unreachable', async () => {
    const { id } = await planned();
    await act(id, 'discard');
    expect((await show(`runs/${id}/plan`)).attributes.status).toBe('finished');
    expect((await show(`runs/${id}/apply`)).attributes.status).toBe('unreachable');
    const queued = await run(app, acme, await workspace(app, acme));
    await act(queued, 'cancel');
    expect((await show(`runs/${queued}/plan`)).attributes.status).toBe('canceled');
  });
});

describe('cancel', () => {
  test('a run at work is asked to stop, and can be forced after a while', async () => {
    const workspaceId = await workspace(app, acme);
    const id = await run(app, acme, workspaceId);
    await move(app, id, 'planning');
    expect((await act(id, 'cancel')).status).toBe(202);
    const { attributes } = await show(`runs/${id}`);
    expect(attributes.status).toBe('planning');
    expect(attributes['force-cancel-available-at']).toEqual(expect.any(String));
    expect(attributes.actions).toMatchObject({ 'is-cancelable': false, 'is-force-cancelable': false });
    expect((await act(id, 'cancel')).status).toBe(409);
    expect((await act(id, 'force-cancel')).status).toBe(409);
    await app.store.read`update runs set force_cancel_available_at = now() - interval '1 second' where runs.id = ${id}`;
    expect((await show(`runs/${id}`)).attributes.actions['is-force-cancelable']).toBe(true);
    expect((await act(id, 'force-cancel')).status).toBe(202);
    expect(await statusOf(id)).toBe('canceled');
    expect((await lockOf(workspaceId)).locked).toBe(false);
  });
});

describe('force-execute', () => {
  test('ends what is before the run, in the queue and in the workspace, and the run is next', async () => {
    const { id, workspaceId } = await planned();
    const [second, third] = [await run(app, acme, workspaceId), await run(app, acme, workspaceId)];
    const fourth = await run(app, acme, workspaceId);
    expect((await act(third, 'force-execute')).status).toBe(202);
    const statuses = await Promise.all([id, second, third, fourth].map(statusOf));
    expect(statuses).toEqual(['discarded', 'discarded', 'plan_queued', 'pending']);
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id: third }, run: third });
  });

  test('a run that is not pending, or waits for a person → 403; behind a run at work → 409', async () => {
    const { id, workspaceId } = await planned();
    expect((await act(id, 'force-execute')).status).toBe(403);
    const second = await run(app, acme, workspaceId);
    await act(id, 'apply');
    await move(app, id, 'applying');
    const refused = await act(second, 'force-execute');
    expect(refused.status).toBe(409);
    expect(refused.problems[0]).toContain('applying');
    const locked = await workspace(app, acme);
    await app.post(`workspaces/${locked}/actions/lock`, acme.owner.token);
    expect((await act(await run(app, acme, locked), 'force-execute')).status).toBe(403);
  });
});

describe('in the wrong state → 409, and nothing changes', () => {
  test.each(['apply', 'discard', 'cancel', 'force-cancel'])('%s of a run that is over', async action => {
    const id = await run(app, acme, await workspace(app, acme));
    await move(app, id, 'canceled');
    const before = await show(`runs/${id}`);
    const { status, document } = await act(id, action);
    expect([status, document.errors[0].title]).toEqual([409, 'transition not allowed']);
    expect(await show(`runs/${id}`)).toEqual(before);
  });

  test('apply and discard of a run that waits for its plan', async () => {
    const id = await run(app, acme, await workspace(app, acme));
    for (const action of ['apply', 'discard']) expect((await act(id, action)).status).toBe(409);
  });
});

describe('§3 the lock that a run holds', () => {
  test('lock → 409; unlock → 409 and says which run; force-unlock → unlocked, and the run goes on', async () => {
    const { id, workspaceId } = await planned();
    const at = (action: string) => app.post(`workspaces/${workspaceId}/actions/${action}`, acme.owner.token);
    expect((await at('lock')).status).toBe(409);
    const refused = await at('unlock');
    expect([refused.status, refused.problems[0]]).toEqual([409, expect.stringContaining(`is locked by Run ${id}`)]);
    expect((await at('force-unlock')).data.attributes.locked).toBe(false);
    const second = await run(app, acme, workspaceId);
    expect([await statusOf(id), await statusOf(second)]).toEqual(['planned', 'pending']);
    expect((await at('lock')).status).toBe(200);
    await act(id, 'discard');
    expect((await lockOf(workspaceId)).by).toEqual({ type: 'users', id: acme.owner.id });
    const opened = await at('unlock');
    expect(opened.data.attributes.locked).toBe(false);
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id: second }, run: second });
  });
});

describe('§5 the trail', () => {
  const trailOf = async (id: string) =>
    (
      await app.store.read<{ action: string; changes: unknown }[]>`
        select audit_events.action, audit_events.changes from audit_events
        where audit_events.resource_id = ${id} order by audit_events.occurred_at`
    ).map(({ action, changes }) => [action, changes]);

  test('says of each action from which status to which it moved the run', async () => {
    const [confirmed, discarded, waiting, working] = [
      (await planned()).id,
      (await planned()).id,
      await run(app, acme, await workspace(app, acme)),
      await run(app, acme, await workspace(app, acme)),
    ];
    await act(confirmed, 'apply');
    await act(discarded, 'discard');
    await act(waiting, 'cancel');
    await move(app, working, 'planning');
    await act(working, 'cancel');
    await app.store.read`update runs set force_cancel_available_at = now() where runs.id = ${working}`;
    await act(working, 'force-cancel');
    expect(await trailOf(confirmed)).toEqual([['runs.apply', { status: ['planned', 'apply_queued'] }]]);
    expect(await trailOf(discarded)).toEqual([['runs.discard', { status: ['planned', 'discarded'] }]]);
    expect(await trailOf(waiting)).toEqual([['runs.cancel', { status: ['plan_queued', 'canceled'] }]]);
    expect(await trailOf(working)).toEqual([
      ['runs.cancel', { status: ['planning', 'planning'] }],
      ['runs.force-cancel', { status: ['planning', 'canceled'] }],
    ]);
    const events = await show(`runs/${working}/run-events`);
    expect(events.map(({ attributes }: Document) => attributes.action)).toContain('force_canceled');
  });
});

test('a comment that is no text → 422, and the run stays', async () => {
  const { id } = await planned();
  const { status, pointers } = await act(id, 'discard', { comment: 7 });
  expect([status, pointers]).toEqual([422, ['/comment']]);
  expect(await statusOf(id)).toBe('planned');
});

test('§5.4 whoever may only queue plans decides nothing, but stops what only plans', async () => {
  const workspaceId = await workspace(app, acme);
  const teamId = await team(app, acme);
  await workspaceAccess(app, teamId, workspaceId, 'plan');
  const { token } = await member(app, acme, teamId);
  const id = await run(app, acme, workspaceId);
  const planOnly = await run(app, acme, workspaceId, { plan_only: true });
  const { data } = await app.get(`runs/${id}`, token);
  expect(data.attributes.permissions).toEqual({
    'can-apply': false,
    'can-cancel': false,
    'can-comment': true,
    'can-discard': false,
    'can-force-cancel': false,
    'can-force-execute': false,
    'can-override-policy-check': false,
  });
  expect((await act(id, 'cancel', undefined, token)).status).toBe(404);
  expect((await act(planOnly, 'cancel', undefined, token)).status).toBe(202);
});

test('discard and cancel at the same moment: exactly one wins, and the next run takes over once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id: holder, workspaceId } = await planned();
    const [id, next] = [await run(app, acme, workspaceId), await run(app, acme, workspaceId)];
    const answers = await Promise.all([act(id, 'discard'), act(id, 'cancel'), act(holder, 'discard')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409]);
    expect(['discarded', 'canceled']).toContain(await statusOf(id));
    expect(await lockOf(workspaceId)).toEqual({ locked: true, by: { type: 'runs', id: next }, run: next });
    const actions = (await show(`runs/${id}/run-events`)).map(
      (event: { attributes: { action: string } }) => event.attributes.action,
    );
    expect(actions.filter((action: string) => ['discarded', 'canceled'].includes(action))).toHaveLength(1);
  }
});

test('no status both waits and works, and none that is final lets anything happen', () => {
  const final = new Set(statusesThat('final'));
  const open = (['waits', 'works', 'rests', 'cancelable', 'confirmable', 'discardable'] as const).flatMap(statusesThat);
  expect(open.filter(status => final.has(status))).toEqual([]);
  expect(statusesThat('waits').filter(status => statusesThat('works').includes(status))).toEqual([]);
});
