/** §4.3 The plan and the apply of a run, their logs, and what happened and was said. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;

beforeAll(async () => {
  acme = await organization(app);
});

const get = async (path: string) => (await app.get(path, acme.owner.token)).data;
const newRun = async (given: object = {}) => run(app, acme, await workspace(app, acme), given);

describe('a plan', () => {
  test('is the same by its id and by its run, and follows the run', async () => {
    const id = await newRun();
    const plan = await get(`runs/${id}/plan`);
    expect(await get(`plans/${plan.id}`)).toEqual(plan);
    expect(plan.attributes).toMatchObject({ status: 'queued', 'has-changes': false, 'resource-additions': null });
    await move(app, id, 'planning');
    expect((await get(`plans/${plan.id}`)).attributes.status).toBe('running');
    await move(app, id, 'planned');
    const { status, 'status-timestamps': times } = (await get(`plans/${plan.id}`)).attributes;
    expect(status).toBe('finished');
    expect(Object.keys(times).sort()).toEqual(['finished-at', 'queued-at', 'started-at']);
    expect(times['finished-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  });

  test('has no output while nothing executes it → 204', async () => {
    const { id } = await get(`runs/${await newRun()}/plan`);
    for (const form of ['json-output', 'json-output-redacted']) {
      expect((await app.get(`plans/${id}/${form}`, acme.owner.token)).status).toBe(204);
    }
  });

  test('errs with its run while it is at work, and keeps what it reached otherwise', async () => {
    const id = await newRun();
    await move(app, id, 'planning', 'errored');
    expect((await get(`runs/${id}/plan`)).attributes.status).toBe('errored');
    expect((await get(`runs/${id}/apply`)).attributes.status).toBe('unreachable');
  });
});

test('an apply is the same by its id and by its run; a run that only plans has none → 404', async () => {
  const id = await newRun();
  const apply = await get(`runs/${id}/apply`);
  expect(await get(`applies/${apply.id}`)).toEqual(apply);
  expect(apply.attributes.status).toBe('pending');
  const planOnly = await newRun({ plan_only: true });
  expect((await app.get(`runs/${planOnly}/apply`, acme.owner.token)).status).toBe(404);
});

describe('a log', () => {
  const read = async (address: string, more = '') => {
    // As command lines do, whatever query there was.
    const { pathname } = new URL(address);
    const { statusCode, body } = await app.app.inject({ method: 'GET', url: `${pathname}?${more}` });
    return statusCode === 200 ? body : statusCode;
  };

  test('is read without a token, in pieces, between two marks: the second when the plan is over', async () => {
    const id = await newRun();
    const { id: planId, attributes } = await get(`runs/${id}/plan`);
    const address = attributes['log-read-url'];
    expect(await read(address)).toBe('');
    await move(app, id, 'planning');
    await app.store.read`update plans set log = ${Buffer.from('Refreshing…\n')} where plans.id = ${planId}`;
    expect(await read(address)).toBe('\u0002Refreshing…\n');
    expect(await read(address, 'limit=5&offset=0')).toBe('\u0002Refr');
    expect(await read(address, 'limit=5&offset=5')).toBe('eshin');
    for (const offset of [4000, 2 ** 31 - 1, 2 ** 31, 9_999_999_999]) {
      expect(await read(address, `limit=65536&offset=${offset}`)).toBe('');
    }
    await move(app, id, 'planned');
    expect(await read(address)).toBe('\u0002Refreshing…\n\u0003');
  });

  test('of what never ran is empty between its marks', async () => {
    const id = await newRun();
    await move(app, id, 'canceled');
    const { attributes } = await get(`runs/${id}/apply`);
    expect(await read(attributes['log-read-url'])).toBe('\u0002\u0003');
  });

  test('at an address that was changed is refused', async () => {
    const [one, other] = [await get(`runs/${await newRun()}/plan`), await get(`runs/${await newRun()}/plan`)];
    const address: string = one.attributes['log-read-url'];
    expect(await read(address.replace(one.id, other.id))).toBeGreaterThanOrEqual(400);
    expect(await read(`${address.slice(0, -4)}nope`)).toBeGreaterThanOrEqual(400);
  });
});

describe('events and comments', () => {
  test('events are in their order, and each can be shown; those that nobody caused have no actor', async () => {
    const id = await newRun();
    await move(app, id, 'planning', 'planned');
    const events: Document[] = await get(`runs/${id}/run-events`);
    expect(events.map(({ attributes }) => attributes.action)).toEqual(['queued', 'plan_queued', 'planning', 'planned']);
    expect(events.map(({ relationships }) => relationships.actor.data?.id ?? null)).toEqual([
      acme.owner.id,
      null,
      null,
      null,
    ]);
    expect(await get(`run-events/${events[0]!.id}`)).toEqual(events[0]);
  });

  test('a comment → 201, shown, listed and an event of the run; an empty one → 422', async () => {
    const id = await newRun();
    const say = (body: unknown) => app.post(`runs/${id}/comments`, acme.owner.token, bodyOf('comments', { body }));
    const { status, data } = await say('Looks good');
    expect(status).toBe(201);
    expect(await get(`comments/${data.id}`)).toEqual(data);
    expect(await get(`runs/${id}/comments`)).toEqual([data]);
    const event = await get(`run-events/${data.relationships['run-event'].data.id}`);
    expect([event.attributes.action, event.relationships.comment.data.id]).toEqual(['commented', data.id]);
    for (const body of ['', undefined, 7]) {
      const refused = await say(body);
      expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/body']]);
    }
  });

  test('of another organization are missing → 404', async () => {
    const id = await newRun();
    const { token } = (await organization(app)).owner;
    const { plan, apply, 'run-events': events } = (await get(`runs/${id}`)).relationships;
    const paths = [`plans/${plan.data.id}`, `applies/${apply.data.id}`, `run-events/${events.data[0].id}`];
    for (const path of [...paths, `runs/${id}/run-events`, `runs/${id}/comments`, `runs/${id}/plan`]) {
      expect([path, (await app.get(path, token)).status]).toEqual([path, 404]);
    }
  });
});
