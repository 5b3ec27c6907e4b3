/** §5: what each credential stands for, as a whole actor; and what makes a remembered one void. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TestApp } from '../../../test/app.ts';
import {
  invite,
  join,
  member,
  organization,
  type Person,
  person,
  randomName,
  secondFactorOf,
  serviceTokenOf,
  sessionOf,
  type TestOrganization,
  team,
  tokenOf,
} from '../../../test/builders/records.ts';
import { run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';
import { createDatabase, type TestDatabase } from '../../../test/running/database.ts';
import { organizationAccessBits, organizationPowers } from '../../access/organization-access.ts';
import type { Actor, Credential, Standing } from '../../core/access/actor.ts';
import { loadConfig } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import { openStore } from '../../core/store/store.ts';
import { sessionHash } from '../sessions/start.ts';
import { tokenHash } from '../tokens/secret.ts';
import { authenticate, rememberedCallers } from './authenticate.ts';

const pepper = 'a pepper for tests only';
const { config } = loadConfig({ TERRANE_TOKEN_PEPPER: pepper });
let database: TestDatabase;
let app: TestApp;
let acme: TestOrganization;
beforeAll(async () => {
  database = await createDatabase();
  app = { store: openStore(database.connection, { connections: 3 }), config } as TestApp;
  acme = await organization(app);
});
afterAll(async () => {
  await app?.store.close();
  await database?.drop();
});

const ofToken = (token: string): Credential => ({ kind: 'token', hash: tokenHash(pepper, token) });
const ofAddress = (givenTo: string): Credential => ({ kind: 'address', givenTo });
const ofSession = (session: string): Credential => {
  return { kind: 'session', hash: sessionHash(config, session.replace('session ', '')) };
};
const who = (credential: Credential) => authenticate(app.store.read, credential);
const execute = (text: string) => app.store.read.script(text);

const memberOnly: Standing = { isMember: true, isOwner: false, organizationAccess: 0 };
const standing = (given: Partial<Standing> = {}): Standing => ({ ...memberOnly, ...given });

/** An actor, of whom is said only what sets it apart. */
const actor = (given: Partial<Actor>): Actor => ({
  kind: 'user',
  userId: expect.any(String),
  username: expect.any(String),
  isSiteAdmin: false,
  tokenId: expect.stringMatching(/^at-/),
  sessionId: null,
  organizationId: null,
  teamId: null,
  teamIds: [],
  standings: new Map(),
  withheld: [],
  stamp: expect.any(String),
  endsAt: null,
  ...given,
});
const nameOf = ({ id, username }: Person) => ({ userId: id, username });
const sorted = (found: Actor | null) => found && { ...found, teamIds: [...found.teamIds].sort() };

describe('people', () => {
  test('§5.2 a person has what all their teams give, in each organization that they have come to', async () => {
    const globex = await organization(app);
    const third = await organization(app);
    const teamIds = [
      await team(app, acme, { access: { 'read-workspaces': true } }),
      await team(app, acme, { access: { 'manage-vcs-settings': true } }),
      await team(app, acme),
    ];
    const someone = await member(app, acme, ...teamIds);
    await join(app, third, someone);
    // Whoever was invited is no member yet.
    await app.store.read`
      insert into organization_memberships (id, organization_id, user_id, status, email)
      values (${newId('ou')}, ${globex.key}, ${someone.id}, 'invited', ${someone.email})`;
    const access = organizationAccessBits({ 'read-workspaces': true, 'manage-vcs-settings': true });
    expect(sorted(await who(ofToken(someone.token)))).toEqual(
      actor({
        ...nameOf(someone),
        teamIds: teamIds.sort(),
        standings: new Map([
          [acme.key, standing({ organizationAccess: access })],
          [third.key, memberOnly],
        ]),
      }),
    );
    const { userId } = await invite(app, globex);
    expect(await who(ofAddress(userId))).toMatchObject({ standings: new Map(), teamIds: [] });
  });

  test('§5.2 whoever is on the owners team is an owner, whatever other teams they are on', async () => {
    const [before, behind] = [await team(app, acme), await team(app, acme)];
    await app.store.read`update teams set id = 'team-0000000000000001' where teams.id = ${before}`;
    const someone = await member(app, acme, 'team-0000000000000001', acme.ownersTeamId, behind);
    const found = await who(ofToken(someone.token));
    expect(found!.standings.get(acme.key)!.isOwner).toBe(true);
    expect(found!.teamIds).toHaveLength(3);
  });

  test('§5.1 an administrator of the site is one by their own tokens and sessions', async () => {
    const admin = await person(app, { isAdmin: true });
    const [session] = [await sessionOf(app, admin)];
    expect(await who(ofToken(admin.token))).toEqual(actor({ ...nameOf(admin), isSiteAdmin: true }));
    const [{ id }] = (await app.store.read`select id from sessions where user_id = ${admin.id}`) as [{ id: string }];
    expect(await who(ofSession(session))).toEqual(
      actor({ ...nameOf(admin), isSiteAdmin: true, tokenId: id, sessionId: id }),
    );
    expect(await who(ofAddress(admin.id))).toEqual(actor({ ...nameOf(admin), isSiteAdmin: true, tokenId: null }));
  });

  test('§5.1 what is unknown, expired, ended or of another kind stands for nobody', async () => {
    const someone = await member(app, acme);
    const expiring = (expired_at: string) => tokenOf(app, { kind: 'user', user_id: someone.id, expired_at });
    expect(await who(ofToken(await expiring('2020-01-01T00:00:00Z')))).toBeNull();
    expect(await who(ofToken(await expiring('2120-01-01T00:00:00Z')))).not.toBeNull();
    const session = await sessionOf(app, someone);
    expect(await who({ ...ofToken(someone.token), kind: 'session' } as Credential)).toBeNull();
    expect(await who({ ...ofSession(session), kind: 'token' } as Credential)).toBeNull();
    await app.store
      .read`update sessions set expires_at = now() - interval '1 second' where sessions.user_id = ${someone.id}`;
    expect(await who(ofSession(session))).toBeNull();
    expect(await who(ofToken('nothing'))).toBeNull();
    const agent = await tokenOf(app, { kind: 'agent', user_id: someone.id });
    expect(await who(ofToken(agent))).toBeNull();
    for (const nobody of ['user-0000000000000000', 'run-0000000000000000', 'job-0000000000000000'])
      expect([nobody, await who(ofAddress(nobody))]).toEqual([nobody, null]);
  });
});

describe('service accounts', () => {
  test('§5.2 a token of a team is the team, and its address too', async () => {
    const teamId = await team(app, acme, { access: { 'manage-projects': true } });
    const token = await serviceTokenOf(app, acme, teamId);
    const access = organizationAccessBits({ 'manage-projects': true });
    const standings = new Map([[acme.key, standing({ organizationAccess: access })]]);
    const found = await who(ofToken(token));
    expect(found).toEqual(actor({ kind: 'team', teamId, teamIds: [teamId], standings }));
    const shown = await who(ofAddress(found!.userId));
    expect(shown).toEqual(actor({ ...found!, tokenId: null, stamp: expect.any(String) }));
    const owners = await who(ofToken(await serviceTokenOf(app, acme, acme.ownersTeamId)));
    expect(owners!.standings.get(acme.key)!.isOwner).toBe(true);
    await app.store.read`delete from teams where teams.id = ${teamId}`;
    expect(await who(ofAddress(found!.userId))).toBeNull();
  });

  test('§5.2 a token of an organization acts as an owner there, one of its audit reads that alone', async () => {
    const globex = await organization(app);
    const token = await serviceTokenOf(app, globex);
    const whole = standing({ isOwner: true, organizationAccess: organizationPowers.all });
    const found = await who(ofToken(token));
    const given = { kind: 'organization', organizationId: globex.key } as const;
    expect(found).toEqual(actor({ ...given, standings: new Map([[globex.key, whole]]) }));
    expect(await who(ofAddress(found!.userId))).toEqual(actor({ ...found!, tokenId: null, stamp: expect.any(String) }));
    // A service account is never an administrator, whatever its row says.
    await app.store.read`update users set is_admin = true where users.id = ${found!.userId}`;
    expect(await who(ofToken(token))).toMatchObject({ isSiteAdmin: false });
    const audit = await tokenOf(app, { kind: 'audit-trails', user_id: found!.userId, organization_id: globex.key });
    expect(await who(ofToken(audit))).toEqual(actor({ kind: 'audit-trails', organizationId: globex.key }));
  });
});

test('§5 a token of a run, and addresses given to it and to its job, stand for the run', async () => {
  const creator = await member(app, acme);
  const workspaceId = await workspace(app, acme);
  const runId = await run(app, acme, workspaceId, {}, { created_by_id: creator.id });
  const tokenFor = (run_phase: string, task_result_id: string | null = null) =>
    tokenOf(app, { kind: 'run', user_id: creator.id, run_id: runId, run_phase, task_result_id });
  const scope = { runId, workspaceId, organizationId: acme.key, taskResultId: null };
  const standings = new Map([[acme.key, memberOnly]]);
  const token = await tokenFor('apply');
  const found = await who(ofToken(token));
  expect(found).toEqual(actor({ kind: 'run', ...nameOf(creator), run: { ...scope, phase: 'apply' }, standings }));
  expect(await who(ofAddress(runId))).toEqual(found);
  await app.store.read`update tokens set expired_at = '2020-01-01' where tokens.run_id = ${runId}`;
  expect(await who(ofAddress(runId))).toBeNull();
  await app.store.read`delete from tokens where tokens.run_id = ${runId}`;
  expect(await who(ofAddress(runId))).toBeNull();
  // What the task is does not matter here.
  await execute('alter table tokens drop constraint tokens_task_result_id_fkey');
  const task = await who(ofToken(await tokenFor('task', 'taskrs-1')));
  expect(task!.run).toEqual({ ...scope, phase: 'task', taskResultId: 'taskrs-1' });
  const jobId = newId('job');
  await app.store.read`
    insert into jobs (id, run_id, organization_id, phase, precedence, is_built_in)
    values (${jobId}, ${runId}, ${acme.key}, 'test', 1, true)`;
  const ofJob = { kind: 'run', tokenId: null, standings, run: { ...scope, phase: 'test' as 'plan' } } as const;
  expect(await who(ofAddress(jobId))).toEqual(actor({ ...ofJob, ...nameOf(creator) }));
  // Once its creator is gone, the organization's account stands for the run.
  const account = (await who(ofToken(await serviceTokenOf(app, acme))))!;
  await app.store.read`update runs set created_by_id = 'user-0000000000000000' where runs.id = ${runId}`;
  const { userId, username } = account;
  expect(await who(ofAddress(jobId))).toEqual(actor({ ...ofJob, userId, username }));
});

describe('organizations that want another way of signing in', () => {
  const unauthorized = 'unauthorized';
  const strict = async (set: string): Promise<TestOrganization> => {
    const made = await organization(app);
    await execute(`update organizations set ${set}, revision = default where id = '${made.key}'`);
    return made;
  };

  test('§5 what they withhold is told apart by its reason, and the rest is there', async () => {
    const [closed, guarded] = [
      await strict('user_tokens_enabled = false'),
      await strict(`collaborator_auth_policy = 'two_factor_mandatory'`),
    ];
    const [inClosed, inGuarded] = [await team(app, closed), await team(app, guarded)];
    const someone = await member(app, acme);
    await join(app, closed, someone, inClosed);
    await join(app, guarded, someone, inGuarded);
    const at = ({ key }: TestOrganization) => new Map([[key, memberOnly]]);
    const own = { ...nameOf(someone), standings: at(acme) };
    const without = (refusal: 'unauthorized' | 'second-factor-required', one: TestOrganization, teamId: string) => ({
      refusal,
      actor: actor({ ...own, teamIds: [teamId], standings: at(one) }),
    });
    const found = await who(ofToken(someone.token));
    expect({ ...found, withheld: [...found!.withheld].sort((a, b) => (a.refusal < b.refusal ? -1 : 1)) }).toEqual(
      actor({
        ...own,
        withheld: [without('second-factor-required', guarded, inGuarded), without(unauthorized, closed, inClosed)],
      }),
    );
    // A session is no token, nor is an address; a second factor counts once it is confirmed, and one's own alone.
    const session = ofSession(await sessionOf(app, someone));
    const withheldFrom = async () => (await who(session))!.withheld.map(({ refusal }) => refusal);
    expect(await withheldFrom()).toEqual(['second-factor-required']);
    expect((await who(ofAddress(someone.id)))!.withheld.map(({ refusal }) => refusal)).toEqual([
      'second-factor-required',
    ]);
    await secondFactorOf(app, acme.owner);
    await secondFactorOf(app, someone);
    await app.store.read`update second_factors set confirmed_at = null where second_factors.user_id = ${someone.id}`;
    expect(await withheldFrom()).toEqual(['second-factor-required']);
    await app.store.read`update second_factors set confirmed_at = now() where second_factors.user_id = ${someone.id}`;
    expect(await withheldFrom()).toEqual([]);
    // Neither is asked of service accounts.
    for (const one of [closed, guarded])
      expect(await who(ofToken(await serviceTokenOf(app, one)))).toMatchObject({ kind: 'organization', withheld: [] });
  });

  test('§5 tokens that are too old for an organization: of people withheld there, of teams nobody', async () => {
    const aging = await strict('max_ttl_enabled = true');
    const teamId = await team(app, aging);
    const someone = await member(app, acme);
    await join(app, aging, someone, teamId);
    const oldToken = await tokenOf(app, { kind: 'user', user_id: someone.id, created_at: '2015-01-01' });
    const found = await who(ofToken(oldToken));
    expect([[...found!.standings.keys()], found!.withheld]).toEqual([
      [acme.key],
      [{ refusal: unauthorized, actor: expect.objectContaining({ standings: new Map([[aging.key, memberOnly]]) }) }],
    ]);
    expect((await who(ofToken(someone.token)))!.withheld).toEqual([]);
    expect((await who(ofSession(await sessionOf(app, someone))))!.withheld).toEqual([]);
    expect(await who(ofToken(await serviceTokenOf(app, aging, teamId, { created_at: '2015-01-01' })))).toBeNull();
    expect(await who(ofToken(await serviceTokenOf(app, aging, teamId)))).not.toBeNull();
  });
});

describe('whether a caller that is remembered is as it was', () => {
  const { proof } = rememberedCallers();
  const stampOf = async (credential: Credential, known: Actor): Promise<string | null> => {
    const [found] = await app.store.read`select ${proof(app.store.read, credential, known)} as stamp`;
    return found!['stamp'];
  };

  test('§5.1 whatever changes an actor is told by its stamp, and nobody else’s changes', async () => {
    const globex = await organization(app);
    const [teamId, otherId] = [await team(app, globex), await team(app, globex)];
    const someone = await member(app, globex, teamId);
    const bystander = await member(app, acme);
    const runId = await run(app, globex, await workspace(app, globex));
    const credentials: Record<string, Credential> = {
      token: ofToken(someone.token),
      session: ofSession(await sessionOf(app, someone)),
      address: ofAddress(someone.id),
      team: ofToken(await serviceTokenOf(app, globex, teamId)),
      organization: ofToken(await serviceTokenOf(app, globex)),
      run: ofToken(await tokenOf(app, { kind: 'run', user_id: someone.id, run_id: runId, run_phase: 'plan' })),
      'address of the run': ofAddress(runId),
    };
    // An address given to a run is one of all its tokens.
    await tokenOf(app, { kind: 'run', user_id: someone.id, run_id: runId, run_phase: 'plan' });
    const membership = `(select id from organization_memberships where user_id = '${someone.id}')`;
    const hash = (credentials['token'] as { hash: Buffer }).hash.toString('hex');
    const settings = (set: string) => `update organizations set ${set}, revision = default where id = '${globex.key}'`;
    const changes: Record<string, readonly string[]> = {
      [`update users set username = '${randomName('renamed')}' where id = '${someone.id}'`]: [
        'token',
        'session',
        'address',
        'run',
        'address of the run',
      ],
      [`update users set is_admin = true where id = '${someone.id}'`]: ['token', 'session', 'address'],
      [`insert into team_memberships (team_id, organization_membership_id) values ('${otherId}', ${membership})`]: [
        'token',
        'session',
        'address',
      ],
      [`update teams set organization_access = 1 where id = '${teamId}'`]: ['token', 'session', 'address', 'team'],
      [`update teams set is_owners = false where id = '${globex.ownersTeamId}';
        update teams set is_owners = true where id = '${otherId}'`]: ['token', 'session', 'address'],
      [`update team_memberships set team_id = '${globex.ownersTeamId}' where team_id = '${otherId}'`]: [
        'token',
        'session',
        'address',
      ],
      [settings('user_tokens_enabled = false')]: ['token'],
      [settings('user_tokens_enabled = true')]: ['token'],
      [settings(`collaborator_auth_policy = 'two_factor_mandatory'`)]: ['token', 'session', 'address'],
      [`insert into second_factors (user_id, sealed_secret) values ('${someone.id}', '\\x00')`]: [],
      [`update second_factors set confirmed_at = now() where user_id = '${someone.id}'`]: [
        'token',
        'session',
        'address',
      ],
      [`delete from second_factors where user_id = '${someone.id}'`]: ['token', 'session', 'address'],
      [settings(`collaborator_auth_policy = 'password'`)]: ['token', 'session', 'address'],
      [`update tokens set created_at = now() - interval '10 minutes' where hash = '\\x${hash}'`]: [],
      [settings('max_ttl_enabled = true')]: ['token ends', 'team ends', 'organization ends'],
      [`insert into token_ttl_policies (organization_id, token_type, max_ttl_ms) values ('${globex.key}', 'user', 300000)`]:
        ['token'],
      [`update token_ttl_policies set max_ttl_ms = 900000 where organization_id = '${globex.key}'`]: ['token'],
      [`update token_ttl_policies set max_ttl_ms = 300000 where organization_id = '${globex.key}'`]: ['token'],
      [`delete from token_ttl_policies where organization_id = '${globex.key}'`]: ['token'],
      [settings('max_ttl_enabled = false')]: ['token ends', 'team ends', 'organization ends'],
      [`delete from team_memberships where organization_membership_id = ${membership} and team_id <> '${teamId}'`]: [
        'token',
        'session',
        'address',
      ],
      [`delete from teams where id = '${teamId}'`]: ['token', 'session', 'address', 'team'],
      [`update organization_memberships set status = 'invited' where user_id = '${someone.id}'`]: [
        'token',
        'session',
        'address',
      ],
      [`update organization_memberships set status = 'active' where user_id = '${someone.id}'`]: [
        'token',
        'session',
        'address',
      ],
      [`delete from organization_memberships where user_id = '${someone.id}'`]: ['token', 'session', 'address'],
      [`insert into organization_memberships (id, organization_id, user_id, status, email)
        values ('ou-0000000000000000', '${globex.key}', '${someone.id}', 'active', 'a@b.example')`]: [
        'token',
        'session',
        'address',
      ],
      [`delete from runs where organization_id = '${globex.key}'; delete from workspaces where organization_id = '${globex.key}';
        delete from organizations where id = '${globex.key}'`]: [
        'token',
        'session',
        'address',
        'organization',
        'run',
        'address of the run',
      ],
      [`delete from sessions where user_id = '${someone.id}'`]: ['session'],
      [`delete from tokens where user_id = '${someone.id}'`]: ['token'],
    };
    const read = async () =>
      Promise.all(Object.entries(credentials).map(async ([name, one]) => ({ name, one, actor: await who(one) })));
    // Without what says so itself, and whatever order the rows came in.
    const told = (one: Actor | null): unknown =>
      one && {
        ...one,
        ...{
          stamp: '',
          endsAt: '',
          tokenId: '',
          teamIds: [...one.teamIds].sort(),
          standings: [...one.standings].sort(),
        },
        withheld: one.withheld.map(({ refusal, actor }) => ({ refusal, actor: told(actor) })),
      };
    const unconcerned = (await who(ofToken(bystander.token)))!;
    for (const [change, expected] of Object.entries(changes)) {
      const before = await read();
      await execute(change);
      const changed: string[] = [];
      for (const [at, { name, one, actor: now }] of (await read()).entries()) {
        const was = before[at]!.actor;
        if (!was) continue;
        const isOther = JSON.stringify(told(was)) !== JSON.stringify(told(now));
        const endsOtherwise = !isOther && now!.endsAt !== was.endsAt;
        if (isOther || endsOtherwise) changed.push(isOther ? name : `${name} ends`);
        const proven = (await stampOf(one, was)) === was.stamp;
        expect([change, name, (isOther || endsOtherwise) && proven]).toEqual([change, name, false]);
      }
      expect([change, changed]).toEqual([change, expected]);
      expect(await stampOf(ofToken(bystander.token), unconcerned)).toBe(unconcerned.stamp);
    }
  });

  test('§5.6 a token that becomes too old meanwhile proves nothing any more, though nothing was written', async () => {
    const aging = await organization(app);
    const someone = await member(app, aging);
    await execute(`update organizations set max_ttl_enabled = true, revision = default where id = '${aging.key}';
      insert into token_ttl_policies (organization_id, token_type, max_ttl_ms) values ('${aging.key}', 'user', 60000)`);
    const credential = ofToken(someone.token);
    await app.store.read`
      update tokens set created_at = now() - interval '59.3 seconds' where tokens.user_id = ${someone.id}`;
    const young = (await who(credential))!;
    expect([young.withheld, await stampOf(credential, young)]).toEqual([[], young.stamp]);
    await vi.waitFor(async () => expect(await stampOf(credential, young)).toBeNull(), 3000);
    expect((await who(credential))!.withheld).toEqual([expect.objectContaining({ refusal: 'unauthorized' })]);
  });
});

test('§5.1 callers are remembered by what they showed, until they are nobody', async () => {
  const callers = rememberedCallers(2);
  const someone = await member(app, acme);
  const [token, address] = [ofToken(someone.token), ofAddress(someone.id)];
  expect(callers.remembered(token)).toBeUndefined();
  const read = await callers.read(app.store.read, token);
  expect(callers.remembered(token)).toBe(read);
  expect(callers.remembered({ ...token, kind: 'session' } as Credential)).toBeUndefined();
  expect(callers.remembered(ofToken(acme.owner.token))).toBeUndefined();
  const shown = await callers.read(app.store.read, address);
  expect([callers.remembered(address), callers.remembered(token)]).toEqual([shown, read]);
  await app.store.read`delete from tokens where tokens.user_id = ${someone.id}`;
  expect(await callers.read(app.store.read, token)).toBeNull();
  expect([callers.remembered(token), callers.remembered(address)]).toEqual([undefined, shown]);
});
