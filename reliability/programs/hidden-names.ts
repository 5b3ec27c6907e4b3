/** S8: what a caller may not see answers as fast as what is not there: of pairs, about half are slower. */
import { drawsFor } from '../../src/commands/seed/draws.ts';
import type { Client } from '../client.ts';
import { clientOf, openPair } from '../pair.ts';
import type { Finding, Program } from '../program.ts';
import { account, described, furnish, type World } from '../world.ts';

const least = 0.45;
const most = 0.55;

export const hiddenNames: Program = async ({ isQuick, count = isQuick ? 300 : 2000, seed, say, ...told }) => {
  const environment = { ...told.environment, TERRANE_INVITATIONS: 'immediate' };
  const { servers, clients } = await openPair({ ...told, environment });
  const world = await furnish(servers[0], 'hidden', 3);
  await fill(clients[0], world);
  const connectionId = await connection(clients[0], world);
  const callers = {
    member: await member(clients[0], world.organization),
    stranger: (await account(clients[0], 'stranger')).token,
  };
  const findings: Finding[] = [];
  for (const [who, token] of Object.entries(callers)) {
    const client = clientOf(servers[0], token);
    for (const { name, requests } of kinds(world, connectionId)) {
      const share = await slowerShare(client, requests, { count, draws: drawsFor(`${seed} ${who} ${name}`) });
      const found = `${(share * 100).toFixed(1)} %`;
      findings.push({ what: `${who}: ${name}`, found, goal: '45–55 % slower', holds: share >= least && share <= most });
      say(`${who}: ${name} ${found}`);
    }
  }
  return findings;
};

type Request = [string, string, unknown?];

/** The hidden record's request, and the same of one that is not there; the control asks for the latter twice. */
function kinds(
  { organization, workspaces: [workspace] }: World,
  connectionId: string,
): { name: string; requests: [Request, Request] }[] {
  const { id, name } = workspace!;
  const notThere = (one: string) => `${one.slice(0, -4)}zzzz`;
  const absent = notThere(id);
  const both = (request: (idOrName: string) => Request, there: string, not: string): [Request, Request] => [
    request(there),
    request(not),
  ];
  // Long enough for the sum of its bytes to take its time: some hosts sign them, and others send their secret alone.
  const delivery = { commits: 'x'.repeat(200_000) };
  const webhook = (one: string): Request => ['POST', `/webhooks/vcs/${one}`, delivery];
  const byId = (request: (id: string) => Request) => both(request, id, absent);
  const byName = (request: (path: string) => Request) => {
    const path = (one: string) => request(`organizations/${organization}/workspaces/${one}`);
    return both(path, name, `${name.slice(0, -1)}z`);
  };
  return [
    { name: 'control, twice not there', requests: both(one => ['GET', `workspaces/${one}`], absent, absent) },
    { name: 'GET by id', requests: byId(one => ['GET', `workspaces/${one}`]) },
    { name: 'GET by name', requests: byName(path => ['GET', path]) },
    { name: 'PATCH by id', requests: byId(one => ['PATCH', `workspaces/${one}`, described('seen')]) },
    { name: 'PATCH by name', requests: byName(path => ['PATCH', path, described('seen')]) },
    { name: 'DELETE by name', requests: byName(path => ['DELETE', path]) },
    { name: 'lock', requests: byId(one => ['POST', `workspaces/${one}/actions/lock`, {}]) },
    { name: 'safe delete by name', requests: byName(path => ['POST', `${path}/actions/safe-delete`]) },
    { name: 'its variables', requests: byId(one => ['GET', `workspaces/${one}/vars`]) },
    {
      name: 'webhook of a connection, not signed',
      requests: both(webhook, connectionId, notThere(connectionId)),
    },
    { name: 'its current state', requests: byId(one => ['GET', `workspaces/${one}/current-state-version`]) },
  ];
}

/** In which share of pairs the first was slower; the order within a pair is drawn by lot. */
async function slowerShare(
  client: Client,
  [one, other]: readonly [Request, Request],
  { count, draws }: { count: number; draws: ReturnType<typeof drawsFor> },
): Promise<number> {
  let slower = 0;
  const warm = Math.ceil(count / 10);
  for (let pair = -warm; pair < count; pair += 1) {
    const isFirst = draws.chance(0.5);
    const before = await client.ask(...(isFirst ? one : other));
    const after = await client.ask(...(isFirst ? other : one));
    for (const { status, fault } of [before, after])
      if (status !== 404) throw new Error(`${one.slice(0, 2).join(' ')}: ${fault ?? status}`);
    const [hidden, missing] = isFirst ? [before, after] : [after, before];
    if (pair >= 0 && hidden.milliseconds > missing.milliseconds) slower += 1;
  }
  return slower / count;
}

/** Much of what a workspace can have, so that reading it would take its time. */
async function fill(client: Client, { workspaces: [workspace] }: World): Promise<void> {
  for (let number = 0; number < 50; number += 1) {
    await client.make(`workspaces/${workspace!.id}/vars`, 'vars', {
      key: `key_${number}`,
      value: 'x'.repeat(1000),
      category: 'terraform',
    });
  }
  const tags = Array.from({ length: 20 }, (_, n) => ({
    type: 'tag-bindings',
    attributes: { key: `key-${n}`, value: 'x' },
  }));
  await client.ask('PATCH', `workspaces/${workspace!.id}/tag-bindings`, { data: tags });
}

/** To a host that signs no bytes. Its webhook is believed from now on. */
async function connection(client: Client, { organization }: World): Promise<string> {
  const { id } = await client.make(`organizations/${organization}/oauth-clients`, 'oauth-clients', {
    'service-provider': 'gitlab_hosted',
    'http-url': 'https://gitlab.com',
    'api-url': 'https://gitlab.com/api/v4',
    'oauth-token-string': 'a token',
  });
  const { status } = await client.ask('POST', `oauth-clients/${id}/actions/rotate-webhook-secret`);
  if (status !== 200 && status !== 201) throw new Error(`The connection has no secret: ${status}`);
  return id;
}

/** Of a team that may see nothing. */
async function member(client: Client, organization: string): Promise<string> {
  const { token } = await account(client, 'member');
  const { id } = await client.make(`organizations/${organization}/teams`, 'teams', { name: 'readers-of-nothing' });
  const teams = { teams: { data: [{ type: 'teams', id }] } };
  const path = `organizations/${organization}/organization-memberships`;
  await client.make(path, 'organization-memberships', { email: 'member@example.com' }, teams);
  return token;
}
