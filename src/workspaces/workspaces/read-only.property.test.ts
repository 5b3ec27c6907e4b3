/** §2.2, §4.1, §4.2: of what an answer says, an update changes only what the contract lets be written. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { bodyOf, organization, randomName, type TestOrganization } from '../../../test/builders/records.ts';
import { agentPool, oauthConnection } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let poolId: string;
let tokenId: string;
beforeAll(async () => {
  acme = await organization(app);
  poolId = await agentPool(app, acme);
  tokenId = (await oauthConnection(app, acme)).tokenId;
});

const runs = { numRuns: 10, interruptAfterTimeLimit: 40_000 };
const timeout = 120_000;

/** Mode, pool and what they overwrite are one setting in four attributes. */
const execution = ['execution-mode', 'operations', 'agent-pool-id', 'setting-overwrites', 'relationships/agent-pool'];
const schedule = [
  'auto-destroy-at',
  'auto-destroy-activity-duration',
  'auto-destroy-status',
  'inherits-project-auto-destroy',
];

/** §4.2, the update's table: each attribute with those of an answer that follow from it. */
const writable: Record<string, readonly string[]> = {
  name: ['links'],
  'agent-pool-id': execution,
  'allow-destroy-plan': ['actions'],
  'assessments-enabled': [],
  'auto-apply': [],
  'auto-apply-run-trigger': [],
  'auto-destroy-at': schedule,
  'auto-destroy-activity-duration': schedule,
  description: [],
  'execution-mode': execution,
  'file-triggers-enabled': [],
  'global-remote-state': [],
  operations: execution,
  'queue-all-runs': [],
  'source-name': [],
  'source-url': [],
  'speculative-enabled': [],
  'engine-version': ['terraform-version'],
  'trigger-patterns': ['trigger-prefixes'],
  'trigger-prefixes': ['trigger-patterns'],
  'working-directory': [],
  'vcs-repo': ['vcs-repo-identifier', 'oauth-client-name'],
  'setting-overwrites': execution,
};

/** What the table does not name and clients send all the same. */
const alsoWritable: Record<string, readonly string[]> = {
  'terraform-version': ['engine-version'],
  'inherits-project-auto-destroy': schedule,
  'project-remote-state': [],
  'structured-run-output-enabled': [],
};

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const triggers = fc.oneof(
  fc.record({ 'trigger-prefixes': fc.array(word, { maxLength: 2 }) }),
  fc.record({ 'trigger-patterns': fc.array(word, { maxLength: 2 }) }),
);
const modes = fc.constantFrom(
  {},
  { 'execution-mode': 'local' },
  { 'execution-mode': 'remote' },
  { operations: false },
  { 'execution-mode': 'agent' },
);
const schedules = fc.constantFrom(
  {},
  { 'auto-destroy-at': '2031-05-06T07:08:09.010Z' },
  { 'auto-destroy-activity-duration': '14d' },
);
const plain = fc.record(
  {
    'allow-destroy-plan': fc.boolean(),
    'auto-apply': fc.boolean(),
    'auto-apply-run-trigger': fc.boolean(),
    description: word,
    'file-triggers-enabled': fc.boolean(),
    'global-remote-state': fc.boolean(),
    'queue-all-runs': fc.boolean(),
    'source-name': word,
    'source-url': fc.constant('https://example.com/from'),
    'speculative-enabled': fc.boolean(),
    'engine-version': fc.constantFrom('~> 1.5', '>= 1.2, < 2.0', '1.9.0'),
    'working-directory': word,
    'vcs-repo': fc.record({
      identifier: fc.constant('acme/live'),
      // Known only once the tests run.
      'oauth-token-id': fc.constant(null).map(() => tokenId),
    }),
  },
  { requiredKeys: [] },
);
const settings = fc
  .tuple(plain, triggers, modes, schedules)
  .map(parts => Object.assign({}, ...parts) as Document)
  .filter(given => given['file-triggers-enabled'] !== false || !given['trigger-patterns']?.length);

/** A value of the same kind that is not the same. */
function altered(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 7;
  if (typeof value === 'string') return /^\d{4}-.*Z$/.test(value) ? '2001-02-03T04:05:06.007Z' : `${value}x`;
  if (Array.isArray(value)) return [...value, 'altered'];
  if (value === null) return 'altered';
  return Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, altered(member)]));
}

/** A document as one list of names and values: attributes, relationships, links. */
function flat({ attributes, relationships, links }: Document): Record<string, string> {
  const related = Object.entries(relationships).map(([name, value]) => [`relationships/${name}`, value]);
  const all = [...Object.entries(attributes), ...related, ['links', links]];
  return Object.fromEntries(all.map(([name, value]) => [name, JSON.stringify(value)]));
}

/** The names of what differs. */
function changes(before: Document, after: Document): string[] {
  const [one, other] = [flat(before), flat(after)];
  return Object.keys({ ...one, ...other }).filter(name => one[name] !== other[name]);
}

async function made(attributes: object): Promise<Document> {
  const isAgent = 'execution-mode' in attributes && attributes['execution-mode'] === 'agent';
  const body = { ...attributes, name: randomName('ws'), ...(isAgent && { 'agent-pool-id': poolId }) };
  const path = `organizations/${acme.name}/workspaces`;
  const answer = await app.post(path, acme.owner.token, bodyOf('workspaces', body));
  expect([answer.problems, answer.status]).toEqual([[], 201]);
  return answer.data;
}

/** Sends `data` to the record; what show says afterwards. */
async function sent({ type, id }: Document, data: object): Promise<{ answer: Answer; after: Document }> {
  const answer = await app.patch(`${type}/${id}`, acme.owner.token, { data: { type, ...data } });
  return { answer, after: (await app.get(`${type}/${id}`, acme.owner.token)).data };
}

/** Alters every attribute in its turn. One that may be written may be refused, and then nothing changes. */
async function expectAttributes(first: Document, mayFollow: Record<string, readonly string[]>, always: string[]) {
  let before = first;
  for (const [name, value] of Object.entries(before.attributes)) {
    const { answer, after } = await sent(before, { attributes: { [name]: altered(value) } });
    const follows = mayFollow[name];
    const allowed = answer.status === 200 ? [...(follows ? [name, ...follows] : []), ...always] : [];
    const beyond = changes(before, after).filter(one => !allowed.includes(one));
    const status = follows ? expect.toBeOneOf([200, 422]) : 200;
    expect({ name, status: answer.status, beyond }).toEqual({ name, status, beyond: [] });
    before = after;
  }
  return before;
}

/** Alters everything at once that may not be written: id, links, attributes and relationships. */
async function expectReadOnly(before: Document, mayFollow: object, linked: string[], always: string[]) {
  const readOnly = Object.entries(before.attributes).filter(([name]) => !(name in mayFollow));
  const relationships = Object.entries<Document>(before.relationships).filter(([name]) => !linked.includes(name));
  const elsewhere = relationships.map(([name, { data }]) => {
    const one = { type: data?.type ?? 'users', id: acme.owner.id };
    return [name, { data: Array.isArray(data) ? [one] : one }];
  });
  const { answer, after } = await sent(before, {
    id: `${before.id}x`,
    links: altered(before.links) as object,
    attributes: Object.fromEntries(readOnly.map(([name, value]) => [name, altered(value)])),
    relationships: Object.fromEntries(elsewhere),
  });
  expect([answer.problems, answer.status]).toEqual([[], 200]);
  expect(changes(before, after).filter(name => !always.includes(name))).toEqual([]);
}

test('§4.2 what a workspace says, sent back altered, changes nothing but what may be written', {
  timeout,
}, async () => {
  const mayFollow = { ...writable, ...alsoWritable };
  const property = fc.asyncProperty(settings, async attributes => {
    const workspace = await expectAttributes(await made(attributes), mayFollow, ['updated-at']);
    await expectReadOnly(workspace, mayFollow, ['project', 'tag-bindings'], ['updated-at']);
  });
  await fc.assert(property, runs);
});

test('§4.2 everything altered at once is refused, or changes what may be written and no more', {
  timeout,
}, async () => {
  const allowed = [...Object.entries({ ...writable, ...alsoWritable }).flat(2), 'updated-at'];
  const property = fc.asyncProperty(settings, async attributes => {
    const before = await made(attributes);
    const { answer, after } = await sent(before, { attributes: altered(before.attributes) as object });
    const beyond = changes(before, after).filter(name => answer.status !== 200 || !allowed.includes(name));
    expect([answer.status, beyond]).toEqual([expect.toBeOneOf([200, 422]), []]);
  });
  await fc.assert(property, runs);
});

test('§4.2 a whole document sent back changes nothing but updated-at', { timeout }, async () => {
  const property = fc.asyncProperty(settings, async attributes => {
    const before = await made(attributes);
    // §4.2 forbids the old name of the mode beside the new one.
    const { operations: _operations, ...rest } = before.attributes;
    const { answer, after } = await sent(before, { ...before, attributes: rest });
    expect([answer.problems, answer.status]).toEqual([[], 200]);
    expect(changes(before, after).filter(name => name !== 'updated-at')).toEqual([]);
  });
  await fc.assert(property, runs);
});

/** §4.1, the update's body; the two spellings are one setting. */
const writableOfTeam: Record<string, readonly string[]> = {
  name: [],
  'sso-team-id': [],
  'organization-access': [],
  visibility: [],
  'allow-team-token-management': ['allow-member-token-management'],
  'allow-member-token-management': ['allow-team-token-management'],
};

const teamSettings = fc.record(
  {
    visibility: fc.constantFrom('secret', 'organization'),
    'sso-team-id': word,
    'allow-member-token-management': fc.boolean(),
    'organization-access': fc.constantFrom({}, { 'manage-workspaces': true }, { 'read-workspaces': true }),
  },
  { requiredKeys: [] },
);

test('§4.1 what a team says, sent back altered or not, changes nothing but what may be written', {
  timeout,
}, async () => {
  const property = fc.asyncProperty(teamSettings, async attributes => {
    const body = bodyOf('teams', { ...attributes, name: randomName('team') });
    const { data: first } = await app.post(`organizations/${acme.name}/teams`, acme.owner.token, body);
    const before = await expectAttributes(first, writableOfTeam, []);
    await expectReadOnly(before, writableOfTeam, [], []);
    const { answer, after } = await sent(before, before);
    expect([answer.problems, answer.status]).toEqual([[], 200]);
    expect(changes(before, after)).toEqual([]);
  });
  await fc.assert(property, runs);
});
