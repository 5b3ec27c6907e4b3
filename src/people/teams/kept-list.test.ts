/** Lists of teams that are kept: a server that read one before answers what a server answers that never did. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import {
  bodyOf,
  invite,
  join,
  member,
  organization,
  type Person,
  person,
  type TestOrganization,
  team,
} from '../../../test/builders/records.ts';
import { openPair, type Pair } from '../../../test/running/pair.ts';

let pair: Pair;
let one: TestApp;
let two: TestApp;
let acme: TestOrganization;
let reader: Person;
let readers: string;
let open: string;
beforeAll(async () => {
  pair = await openPair();
  ({ one, two } = pair);
  acme = await organization(one);
  readers = await team(one, acme, { name: 'readers' });
  open = await team(one, acme, { name: 'open', visibility: 'organization', isTokenManagedByMembers: true });
  reader = await member(one, acme, readers);
});
afterAll(() => pair.close());

const queries = ['', '?page[size]=1&page[number]=2', '?q=ea', '?filter[names]=open,readers', '?include=users'];

async function answers(app: TestApp): Promise<string[]> {
  const found: string[] = [];
  for (const token of [acme.owner.token, reader.token]) {
    for (const query of queries) {
      const { status, text } = await app.get(`organizations/${acme.name}/teams${query}`, token);
      expect([query, status]).toEqual([query, 200]);
      found.push(text);
    }
  }
  return found;
}

/** That a change shows in some answer of the server that kept all of them, and in all as it shows elsewhere. */
async function expectNoticed(name: string, change: () => Promise<unknown>): Promise<void> {
  const before = await answers(one);
  expect(await answers(one), name).toEqual(before);
  await change();
  two.store.pages.forget();
  const after = await answers(one);
  expect(after, name).toEqual(await answers(two));
  expect(after, name).not.toEqual(before);
}

const by =
  (method: string, path: string, body?: unknown, token = acme.owner.token) =>
  async () => {
    const answer = await two.call(method, path, { token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer;
  };
const patch = (id: string, attributes: object) => by('PATCH', `teams/${id}`, bodyOf('teams', attributes));

test('§4.1 what was read of teams is asked for once, as long as nothing changes of what they show', async () => {
  const reading = /from\s+teams/;
  const reads = async () =>
    (await one.statementsOf(() => one.get(`organizations/${acme.name}/teams?page[size]=7`, reader.token))).filter(
      text => reading.test(text),
    ).length;
  expect([await reads(), await reads()]).toEqual([1, 0]);
  await by('POST', `organizations/${acme.name}/projects`, bodyOf('projects', { name: 'beside' }))();
  expect(await reads()).toBe(0);
  await patch(open, { 'sso-team-id': 'first' })();
  expect([await reads(), await reads()]).toEqual([1, 0]);
});

test('§4.1 what changes teams, who is on them and whether they have a token shows in lists that were read before', async () => {
  const made = await by('POST', `organizations/${acme.name}/teams`, bodyOf('teams', { name: 'made' }));
  await expectNoticed('made', made);
  await expectNoticed('name', patch(open, { name: 'opened' }));
  await expectNoticed('powers', patch(open, { 'organization-access': { 'manage-workspaces': true } }));
  await expectNoticed('visibility', patch(readers, { visibility: 'organization' }));
  await expectNoticed('sign-on', patch(readers, { 'sso-team-id': 'second' }));
  await expectNoticed('tokens of members', patch(readers, { 'allow-member-token-management': false }));
  await expectNoticed('a token', by('POST', `teams/${open}/authentication-token`));
  await expectNoticed('no token', by('DELETE', `teams/${open}/authentication-token`));
});

test('§4.1 so does who comes to the organization, to a team, or goes', async () => {
  const someone = await person(one);
  const membership = await join(one, acme, someone);
  const members = { data: [{ type: 'organization-memberships', id: membership }] };
  const path = `teams/${readers}/relationships/organization-memberships`;
  await expectNoticed('added', by('POST', path, members));
  await expectNoticed('removed', by('DELETE', path, members));
  await by('POST', path, members)();
  await expectNoticed('gone', by('DELETE', `organization-memberships/${membership}`));
  await expectNoticed('the reader on another team', () => join(two, acme, reader, open));
  const guest = await invite(two, acme, open);
  await expectNoticed('accepted', async () => {
    await two.store.read`
      update organization_memberships set status = 'active' where organization_memberships.id = ${guest.membershipId}`;
  });
  await expectNoticed('the account is gone', () => two.store.read`delete from users where users.id = ${guest.userId}`);
});

test('§2.1 whoever may do more with a team is shown so, from the same rows', async () => {
  const permissionsFor = async (token: string) => {
    const answer = await one.get(`organizations/${acme.name}/teams?filter[names]=opened`, token);
    return answer.data[0].attributes.permissions['can-destroy'];
  };
  for (let times = 0; times < 2; times += 1) {
    expect(await permissionsFor(acme.owner.token)).toBe(true);
    expect(await permissionsFor(reader.token)).toBe(false);
  }
});

test('§1 so does a new name of the organization', async () => {
  const before = await answers(one);
  const renamed = `${acme.name}-renamed`;
  await by('PATCH', `organizations/${acme.name}`, bodyOf('organizations', { name: renamed }))();
  acme = { ...acme, name: renamed };
  two.store.pages.forget();
  const after = await answers(one);
  expect(after).toEqual(await answers(two));
  expect(after).not.toEqual(before);
});

test('§4.1 and a team that is gone', async () => {
  await expectNoticed('gone', by('DELETE', `teams/${readers}`));
});
