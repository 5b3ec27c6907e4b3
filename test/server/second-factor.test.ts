// An organization that asks for a second factor, and has everything: whoever lacks one is told so at every address of it.
import { expect, test } from 'vitest';
import type { AnyEndpoint } from '../../src/core/jsonapi/endpoint.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { useApp } from '../app.ts';
import { bodyOf, member, secondFactorOf, sessionOf } from '../builders/records.ts';
import { addressesIn, queriesIn } from '../cast/addresses.ts';
import { type RichOrganization, richOrganization } from '../cast/rich-organization.ts';
import { fingerprint } from '../nets/rows.ts';
import { withEach } from '../running/at-once.ts';

const app = useApp();

/** What stays a person's own, or is nobody's, whatever an organization asks for; and why. The list only shrinks. */
const ownMatters: Record<string, string> = {
  'organization-memberships.list-own 200': 'where somebody is a member, and what that organization asks for',
  'organizations.list 200': 'it is not on the list',
  'passwords.change 422': 'an account',
  'second-factors.confirm 422': 'what the organization asks for',
  'second-factors.create 422': 'the same',
  'second-factors.renew-codes 422': 'the same',
  'second-factors.show 200': 'the same',
  'second-factors.turn-off 422': 'the same',
  'sessions.end-others 412': 'an account',
  'sessions.list-own 200': 'an account',
  'users.show-own 200': 'an account',
  'users.update-own 412': 'an account',
};

/** What names its subject in the body. */
function bodiesIn({ ids }: RichOrganization): Record<string, unknown> {
  const [workspace, project, team] = [
    { data: { type: 'workspaces', id: ids['network'] } },
    { data: { type: 'projects', id: ids['platform'] } },
    { data: { type: 'teams', id: ids['team'] } },
  ];
  return {
    'runs.create': bodyOf('runs', {}, { workspace }),
    'team-workspaces.create': bodyOf('team-workspaces', { access: 'read' }, { workspace, team }),
    'team-projects.create': bodyOf('team-projects', { access: 'read' }, { project, team }),
  };
}

/** All but how often passwords and codes were tried. */
async function rows(): Promise<object> {
  const { sign_in_attempts: _, ...rest } = await fingerprint(app.store);
  return rest;
}

/** Whoever is let in meets this condition, and nothing is changed. */
const never = { 'if-match': '"of something else"' };

test('§5 an owner without the second factor that is asked for is refused at every address that was open, and told why', {
  timeout: 180_000,
}, async () => {
  const rich = await richOrganization(app);
  const addressesOf = await addressesIn(app, rich);
  const other = await member(app, rich, rich.ownersTeamId);
  const [queries, bodies] = [queriesIn(rich), bodiesIn(rich)];
  const ask = async ({ operation, method }: AnyEndpoint, address: string, token: string) => {
    const query = queries[operation] ? `?${queries[operation]}` : '';
    const sent = method === 'GET' ? {} : { body: bodies[operation] ?? {}, headers: never };
    return app.call(method, address.slice(1) + query, { token, ...sent });
  };
  const open: { one: AnyEndpoint; address: string }[] = [];
  for (const one of endpoints.filter(one => !one.signed && !one.isOpen))
    await withEach(
      one.paths.flatMap(path => addressesOf(path).slice(0, 16)),
      async address => {
        if (![403, 404].includes((await ask(one, address, other.token)).status)) open.push({ one, address });
      },
    );
  expect(open.length).toBeGreaterThan(300);

  await secondFactorOf(app, rich.owner);
  const demand = bodyOf('organizations', { 'collaborator-auth-policy': 'two_factor_mandatory' });
  expect((await app.patch(`organizations/${rich.name}`, rich.owner.token, demand)).status).toBe(200);
  const session = await sessionOf(app, other);
  const before = await rows();
  const letIn = new Set<string>();
  for (const token of [other.token, session])
    await withEach(open, async ({ one, address }) => {
      const { status, problems } = await ask(one, address, token);
      if (status !== 403 || !problems[0]?.includes('second factor only')) letIn.add(`${one.operation} ${status}`);
    });
  expect([...letIn].sort()).toEqual(Object.keys(ownMatters).sort());
  expect(await rows()).toEqual(before);
});
