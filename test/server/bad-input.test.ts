/** §1, §7: whatever a body says, the answer is a clear 4xx that points at every fault, and nothing is written. */
import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { bodyOf, type Person, person, randomName } from '../builders/records.ts';
import { expectRefusal, useUnchanged } from '../nets/refusals.ts';
import { rowCounts } from '../nets/rows.ts';

const app = useApp();
const owned = useUnchanged(app);
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

const send = (raw: string | Buffer) =>
  app.call('POST', `organizations/${owned.acme.name}/teams`, { token: owned.token, raw });
const named = (name: unknown) => bodyOf('teams', { name });

describe('bodies', () => {
  const broken: [string, string | Buffer, number, ...string[]][] = [
    ['cut off', '{"data":', 400, ''],
    ['not JSON', 'name=platform', 400, ''],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, ''],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400, ''],
    ['empty', '', 422, '/data'],
    ['a number', '1', 422, '/data'],
    ['an array', '[]', 422, '/data'],
    ['null', 'null', 422, '/data'],
    ['without data', '{}', 422, '/data'],
    ['with null data', '{"data":null}', 422, '/data'],
    ['with an array of data', '{"data":[{"type":"teams"}]}', 422, '/data'],
    ['with text as data', '{"data":"teams"}', 422, '/data'],
    ['with nothing in data', '{"data":{}}', 422, '/data/type', '/data/attributes/name'],
    ['of an unknown type', '{"data":{"type":"team","attributes":{"name":"a"}}}', 422, '/data/type'],
    ['of an empty type', '{"data":{"type":"","attributes":{"name":"a"}}}', 422, '/data/type'],
    ['of no type', '{"data":{"attributes":{"name":"a"}}}', 422, '/data/type'],
    ['of a numeric type', '{"data":{"type":1,"attributes":{"name":"a"}}}', 422, '/data/type'],
    ['without attributes', '{"data":{"type":"teams"}}', 422, '/data/attributes/name'],
    [
      'with null attributes',
      '{"data":{"type":"teams","attributes":null}}',
      422,
      '/data/attributes',
      '/data/attributes/name',
    ],
    [
      'with an array of attributes',
      '{"data":{"type":"teams","attributes":[]}}',
      422,
      '/data/attributes',
      '/data/attributes/name',
    ],
    [
      'with text as relationships',
      '{"data":{"type":"teams","attributes":{"name":"a"},"relationships":"b"}}',
      422,
      '/data/relationships',
    ],
    ['with everything in __proto__', '{"__proto__":{"data":{"type":"teams"}}}', 422, '/data'],
    [
      'with its type in __proto__',
      '{"data":{"__proto__":{"type":"teams","attributes":{"name":"a"}}}}',
      422,
      '/data/type',
      '/data/attributes/name',
    ],
    [
      'with a name in constructor',
      '{"data":{"type":"teams","attributes":{"constructor":{"name":"a"}}}}',
      422,
      '/data/attributes/name',
    ],
  ];

  test.each(broken)('§7 a body %s is refused at its place', async (_what, raw, status, ...pointers) => {
    expectRefusal(await send(raw), status, ...pointers);
  });

  const wrong: [string, unknown][] = [
    ['name', null],
    ['name', 1],
    ['name', true],
    ['name', ['a']],
    ['name', { a: 1 }],
    ['name', ''],
    ['name', ' '],
    ['name', 'a'.repeat(10_000)],
    ['name', 'ä'],
    ['name', '../a'],
    ['visibility', 'public'],
    ['visibility', 1],
    ['visibility', null],
    ['sso-team-id', 1],
    ['sso-team-id', 'a'.repeat(10_000)],
    ['allow-member-token-management', 'true'],
    ['allow-member-token-management', null],
    ['organization-access', []],
    ['organization-access', 'all'],
    ['organization-access/manage-workspaces', 'yes'],
  ];

  test.each(wrong)('§7 on create and on update, %s as %j is refused at its place', async (place, value) => {
    const [name = '', key] = place.split('/');
    const attributes = { name: randomName('team'), [name]: key ? { [key]: value } : value };
    const pointer = `/data/attributes/${place}`;
    expectRefusal(await send(JSON.stringify(bodyOf('teams', attributes))), 422, pointer);
    expectRefusal(
      await app.patch(`teams/${owned.teamId}`, owned.token, bodyOf('teams', { [name]: attributes[name] })),
      422,
      pointer,
    );
  });

  test('§7 all faults of a body are in one answer, those of text that cannot be stored among them', async () => {
    const attributes = {
      name: 'a\0',
      'sso-team-id': '\ud800',
      visibility: 'public',
      'organization-access': { 'read-projects': true },
    };
    expectRefusal(
      await send(JSON.stringify({ data: { type: 'team', attributes }, meta: { 'a/b~c': '\0' } })),
      422,
      '/data/attributes/name',
      '/data/attributes/sso-team-id',
      '/meta/a~1b~0c',
      '/data/type',
      '/data/attributes/visibility',
      '/data/attributes/organization-access/read-projects',
    );
  });

  test('§7 NUL and lone surrogates in the name of a member are refused at the object that holds it', async () => {
    expectRefusal(
      await send('{"data":{"type":"teams","attributes":{"name":"a","b\\u0000":1}}}'),
      422,
      '/data/attributes',
    );
    expectRefusal(await send('{"data":{"type":"teams","attributes":{"name":"a"}},"\\udfff":1}'), 422, '');
    expectRefusal(await send('"\\u0000"'), 422, '', '/data');
  });

  test('a body of a thousand faults names twenty, and says how many more there are', async () => {
    const texts = Array.from({ length: 1000 }, () => '\0');
    const answer = await send(JSON.stringify({ ...named('a'), meta: texts }));
    expect([answer.status, answer.pointers.length, answer.problems.at(-1)]).toEqual([422, 21, 'and 980 more.']);
  });

  test('JSON nested 32 deep is read, 33 deep is refused, and 100,000 deep too', async () => {
    const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const inside = (levels: number) =>
      `{"data":{"type":"teams","attributes":{"name":"a b","unknown":${deep(levels)}}}}`;
    expectRefusal(await send(inside(29)), 422, '/data/attributes/name');
    const tooDeep = await send(inside(30));
    expectRefusal(tooDeep, 400, `/data/attributes/unknown${'/0'.repeat(29)}`);
    expect(tooDeep.problems).toEqual(['JSON is nested over 32 deep.']);
    expectRefusal(await send(deep(10_000)), 400, '/0'.repeat(32));
    // From 40,000 bytes on it is refused as bytes, before there are places in it.
    expectRefusal(await send(deep(100_000)), 400, '');
    expectRefusal(await send('{"a":'.repeat(100_000)), 400, '');
  });

  test('a body of 1 MiB is read, one byte more is 413', async () => {
    const fill = (bytes: number) => {
      const empty = JSON.stringify({ data: { type: 'teams', attributes: { name: 'a b', unknown: '' } } });
      return empty.replace('"unknown":""', `"unknown":"${'x'.repeat(bytes - empty.length)}"`);
    };
    expectRefusal(await send(fill(1024 * 1024)), 422, '/data/attributes/name');
    const answer = await send(fill(1024 * 1024 + 1));
    expectRefusal(answer, 413, '');
    expect(answer.problems).toEqual(['A body holds at most 1048576 bytes.']);
  });

  test('nothing of a body is read on GET', async () => {
    const answer = await app.call('GET', `teams/${owned.teamId}`, { token: owned.token, raw: '{"data":' });
    expect(answer.status).toBe(200);
  });
});

describe('what is accepted', () => {
  test('§4.1 unknown attributes are ignored and never stored; of two equal keys the last counts', async () => {
    const created = await app.call('POST', 'organizations', {
      token: administrator.token,
      raw: '{"data":{"type":"organizations","id":"mine","attributes":{"name":"one","name":"NAME","email":"a@example.com","plan":"free","external-id":"org-1","__proto__":{"x":1},"constructor":1,"created-at":"2000-01-01T00:00:00.000Z"},"relationships":{"nobody":{"data":1}}},"extra":[1]}'.replace(
        'NAME',
        randomName('org'),
      ),
    });
    expect(created.status).toBe(201);
    const { attributes, id } = created.data;
    expect(attributes.name).toMatch(/^org-/);
    expect(attributes).not.toHaveProperty('plan');
    expect(attributes['external-id']).not.toBe('org-1');
    expect(attributes['created-at']).not.toMatch(/^2000/);
    const others = await rowCounts(app.store);
    await app.store.transaction(async sql => {
      await sql`delete from audit_events where audit_events.resource_id = ${id}`;
      await sql`delete from organizations where organizations.name = ${id}`;
    });
    expect((await rowCounts(app.store))['organizations']).toBe(others['organizations']! - 1);
  });
});
