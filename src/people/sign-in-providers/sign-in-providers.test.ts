/** §1: providers of single sign-on, as site administrators and the environment set them up. */
import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, type Person, person } from '../../../test/builders/records.ts';
import { type ConfigError, loadConfig } from '../../core/config.ts';
import { limits } from '../../core/limits.ts';

const given = { name: 'company', kind: 'openid-connect', issuer: 'https://sso.example.com', 'client-id': 'terrane' };
const app = useApp({ TERRANE_SIGN_IN_PROVIDERS: JSON.stringify({ ...given, name: 'fixed' }) });
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
});
beforeEach(() => app.store.read`delete from sign_in_providers`);

const path = 'admin/sign-in-providers';
const create = (attributes: object) => app.post(path, administrator.token, bodyOf('sign-in-providers', attributes));
const update = (id: string, attributes: object) =>
  app.patch(`${path}/${id}`, administrator.token, bodyOf('sign-in-providers', attributes));

test('§1 its lists have so many items and no more', async () => {
  const most = limits.providerLists_items.value;
  const domains = Array.from({ length: most + 1 }, (_, at) => `d${at}.example.com`);
  const refused = await create({ ...given, 'address-domains': domains });
  expect([refused.status, refused.pointers]).toEqual([422, ['/data/attributes/address-domains']]);
  expect((await create({ ...given, 'address-domains': domains.slice(1) })).status).toBe(201);
});

test('§1 one is set up with little, changed, listed and deleted; its secret is in no answer and no event', async () => {
  const made = await create({ ...given, 'client-secret': 'what only two know' });
  expect(made.status).toBe(201);
  expect(made.data.attributes).toEqual({
    ...given,
    label: 'company',
    'has-client-secret': true,
    scopes: 'openid profile email',
    'sign-in-url': null,
    certificates: null,
    'groups-claim': 'groups',
    'username-claim': 'preferred_username',
    'trusts-addresses': false,
    'creates-accounts': true,
    'address-domains': [],
    organizations: [],
    'callback-url': 'http://127.0.0.1:8080/sso/company/callback',
    'metadata-url': null,
    'created-at': expect.any(String),
  });
  const changed = await update(made.data.id, { label: 'The company', 'client-secret': 'another that two know' });
  expect(changed.data.attributes).toMatchObject({ label: 'The company', 'client-id': 'terrane' });
  expect((await update(made.data.id, { 'client-secret': null })).data.attributes['has-client-secret']).toBe(false);
  expect((await app.get(path, administrator.token)).data).toHaveLength(1);
  const events = await app.store.read`
    select audit_events.action, audit_events.resource_name from audit_events
    where audit_events.resource_id = ${made.data.id} order by audit_events.occurred_at`;
  expect(events.map(event => event['action'])).toEqual([
    'sign-in-providers.create',
    'sign-in-providers.update',
    'sign-in-providers.update',
  ]);
  const all = JSON.stringify(await app.store.read`select audit_events.changes from audit_events`);
  expect(all).not.toMatch(/that two know|what only two/);
  expect((await app.delete(`${path}/${made.data.id}`, administrator.token)).status).toBe(204);
  expect((await app.get(`${path}/${made.data.id}`, administrator.token)).status).toBe(404);
});

test('§1 what is missing, does not go together or is taken is refused where it stands, and nothing is made', async () => {
  const saml = { name: 'saml', kind: 'saml', issuer: 'urn:example' };
  const wrong: [object, string[]][] = [
    [{}, ['name', 'kind', 'issuer']],
    [{ ...given, name: 'Not A Name' }, ['name']],
    [{ ...given, name: 'fixed' }, ['name']],
    [{ ...given, kind: 'other' }, ['kind']],
    [{ ...given, issuer: 'no address' }, ['issuer']],
    [{ ...given, issuer: 'ftp://example.com' }, ['issuer']],
    [{ ...given, 'client-id': null }, ['client-id']],
    [{ ...given, scopes: 'email' }, ['scopes']],
    [{ ...given, 'client-secret': '' }, ['client-secret']],
    [{ ...given, 'address-domains': ['not a domain'] }, ['address-domains/0']],
    [saml, ['sign-in-url', 'certificates']],
    [{ ...saml, 'sign-in-url': 'javascript:x', certificates: 'x' }, ['sign-in-url', 'certificates']],
  ];
  for (const [attributes, members] of wrong) {
    const { status, pointers } = await create(attributes);
    const pointed = members.map(member => `/data/attributes/${member}`);
    expect([attributes, status, [...new Set(pointers)].sort()]).toEqual([attributes, 422, pointed.sort()]);
  }
  const { data } = await create(given);
  expect((await create(given)).pointers).toEqual(['/data/attributes/name']);
  for (const [attributes, member] of [
    [{ kind: 'saml' }, 'kind'],
    [{ 'client-id': null }, 'client-id'],
    [{ name: 'fixed' }, 'name'],
  ] as const) {
    expect((await update(data.id, attributes)).pointers).toContain(`/data/attributes/${member}`);
  }
  expect((await app.get(path, administrator.token)).data).toHaveLength(1);
});

test('§1 a site has so many at most, also when several are set up at once', async () => {
  const most = limits.signInProviders_items.value;
  for (let at = 0; at < most - 1; at += 1) expect((await create({ ...given, name: `p${at}` })).status).toBe(201);
  const last = await Promise.all(['one', 'two', 'three'].map(name => create({ ...given, name })));
  expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
});

test('the environment: one provider or several; what is wrong with them is said, and no secret quoted', () => {
  const read = (value: unknown) => {
    try {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return loadConfig({ TERRANE_SIGN_IN_PROVIDERS: text }).config.signInProviders;
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  const { publicKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  expect(read(given)).toMatchObject([{ name: 'company', client_id: 'terrane', client_secret: null, label: 'company' }]);
  expect(read([given, { ...given, name: 'second', 'client-secret': 'kept' }])).toMatchObject([
    { name: 'company' },
    { name: 'second', client_secret: 'kept' },
  ]);
  const saml = { name: 'saml', kind: 'saml', issuer: 'urn:x', 'sign-in-url': 'https://sso.example.com' };
  const wrong: [unknown, RegExp][] = [
    ['{"client-secret":"kept"', /must be JSON/],
    [[], /is wrong at/],
    [{ ...given, name: undefined }, /\/0.*name/],
    [{ ...given, 'client-secret': 5, name: 'X Y' }, /\/0\/name.*small letters/],
    [{ ...given, secret: 'kept' }, /\/0 \(secret\)/],
    [{ ...given, 'client-id': undefined }, /\/0\/client-id/],
    [[given, given], /twice/],
    [{ ...saml, certificates: pem }, /\/0\/certificates.*PEM/],
  ];
  for (const [value, problem] of wrong) {
    const problems = read(value) as string[];
    expect([value, problems]).toEqual([value, [expect.stringMatching(problem)]]);
    expect(problems.join()).not.toContain('kept');
  }
});
