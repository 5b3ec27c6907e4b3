/** §7: whatever JSON or text arrives, the answer is never a 5xx, and a refusal leaves every table as it was. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { type Person, person } from '../builders/records.ts';
import { useUnchanged } from '../nets/refusals.ts';
import { rowCounts } from '../nets/rows.ts';

const app = useApp();
const owned = useUnchanged(app);
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});

const runs = { numRuns: 150 };
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('\0', '\ud800', '\\u0000', '%', "'", ''),
);
const anyJson = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), anyText);

/** Nearly right: so that the rules behind the schema are reached, too. */
function nearly(type: string, names: readonly string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(anyJson, fc.constantFrom('a', 'a@example.com', true, null, 0, 'secret', 'agent', {}));
  const attributes = fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText), value, { maxKeys: 8 });
  const data = fc.record(
    {
      type: fc.oneof({ weight: 9, arbitrary: fc.constant(type) }, anyJson),
      attributes: fc.oneof({ weight: 9, arbitrary: attributes }, anyJson),
      relationships: anyJson,
    },
    { requiredKeys: [] },
  );
  return fc.oneof(fc.record({ data }), anyJson);
}

async function expectClear(path: string, token: string, body: unknown): Promise<void> {
  const before = await rowCounts(app.store);
  const answer = await app.call('POST', path, { token, raw: JSON.stringify(body) });
  expect(answer.status).toBeLessThan(500);
  if (answer.status < 400) return undo(answer.data.type, answer.data.id);
  expect(answer.document.errors.length).toBeGreaterThan(0);
  for (const pointer of answer.pointers) expect(typeof pointer).toBe('string');
  expect(await rowCounts(app.store)).toEqual(before);
}

async function undo(type: string, id: string): Promise<void> {
  const sql = app.store.read;
  if (type === 'teams') await sql`delete from teams where teams.id = ${id}`;
  else await sql`delete from organizations where organizations.name = ${id}`;
  await sql`delete from audit_events where audit_events.resource_id = ${id}`;
  await sql`delete from changes where changes.record_id = ${id}`;
}

test('§7 any JSON as the body of a new team', async () => {
  const names = ['name', 'visibility', 'sso-team-id', 'organization-access', 'allow-member-token-management'];
  await fc.assert(
    fc.asyncProperty(nearly('teams', names), body =>
      expectClear(`organizations/${owned.acme.name}/teams`, owned.token, body),
    ),
    runs,
  );
}, 120_000);

test('any JSON as the body of a new organization', async () => {
  const names = [
    'name',
    'email',
    'default-execution-mode',
    'session-timeout',
    'owners-team-saml-role-id',
    'default-agent-pool-id',
  ];
  await fc.assert(
    fc.asyncProperty(nearly('organizations', names), body => expectClear('organizations', administrator.token, body)),
    runs,
  );
}, 120_000);

test('any bytes as a body', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      const raw = Buffer.from(bytes);
      const answer = await app.call('POST', `organizations/${owned.acme.name}/teams`, { token: owned.token, raw });
      expect([400, 422]).toContain(answer.status);
    }),
    runs,
  );
}, 120_000);

test('any text as an id, a name, a search, a filter, a page or an include', async () => {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (text, name) => {
      const list = `organizations/${owned.acme.name}/teams`;
      const asked = ['q', 'filter[names]', 'page[number]', 'page[size]', 'include'].map(
        key => `${list}?${key}=${encode(text)}`,
      );
      const paths = [
        `teams/${encode(text)}`,
        `organizations/${encode(text)}/teams`,
        `${list}?${encode(name)}=${encode(text)}`,
        ...asked,
      ];
      for (const path of paths) {
        const answer = await app.get(path, owned.token);
        expect([path, answer.status < 500]).toEqual([path, true]);
      }
      expect((await app.delete(`teams/${encode(text)}`, owned.token)).status).toBeOneOf([400, 404]);
    }),
    runs,
  );
}, 120_000);

test('any characters as an address', async () => {
  const printable = fc.string({ unit: fc.constantFrom(...'/abc?&=[]%0123456789.;:@!$,~*+#\\|{}<>"\'^`_-') });
  await fc.assert(
    fc.asyncProperty(printable, async text => {
      const answer = await app.app.inject({
        method: 'GET',
        url: `/api/v2/${text}`,
        headers: { authorization: `Bearer ${owned.token}` },
      });
      expect([text, answer.statusCode < 500]).toEqual([text, true]);
    }),
    { numRuns: 500 },
  );
}, 120_000);
