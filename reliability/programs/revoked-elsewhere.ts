/** S7: who was shut out on one server gets nothing from the other, not even with a request begun before. */
import { connect } from 'node:net';
import { atOnce } from '../../test/running/at-once.ts';
import type { Client, Document, Outcome } from '../client.ts';
import { clientOf, openPair } from '../pair.ts';
import { atMost, type Program, seen } from '../program.ts';
import { described, furnish } from '../world.ts';

const workers = 4;
const triesOfEach = 10;

export const revokedElsewhere: Program = async ({ isQuick, count = isQuick ? 600 : 10_000, say, ...told }) => {
  const environment = { ...told.environment, TERRANE_INVITATIONS: 'immediate' };
  const { servers, clients } = await openPair({ ...told, environment });
  const { organization, workspaces } = await furnish(servers[0], 'revoked', 1);
  const access = { 'manage-workspaces': true };
  const { id: teamId } = await clients[0].make(`organizations/${organization}/teams`, 'teams', {
    name: 'builders',
    'organization-access': access,
  });
  const place = { organization, teamId, path: `workspaces/${workspaces[0]!.id}` };
  const strangers = [clientOf(servers[0], ''), clientOf(servers[1], '')] as const;
  const tries = { before: 0, later: 0, parked: 0 };
  const passed: string[] = [];
  await atOnce(workers, Math.ceil(count / triesOfEach), async turn => {
    const there = turn % 2;
    const way = ways[turn % ways.length]!;
    const victim = await member(clients[there]!, place, `user-${turn}`);
    // Each server has seen the caller, and remembers it.
    for (const stranger of strangers) {
      const { status } = await stranger.ask('GET', place.path, undefined, victim.token);
      if (status !== 200) throw new Error(`The member is not let in: ${status}.`);
      tries.before += 1;
    }
    const parked = await Promise.all([0, 1].map(() => begin(servers[1 - there]!.port, place.path, victim.token)));
    const [method, path] = way.request(victim);
    const ended = await clients[there]!.ask(method, path);
    if (ended.status !== 204) throw new Error(`${way.name}: ${ended.status} ${JSON.stringify(ended.document)}`);
    const asked: Promise<Outcome>[] = [];
    for (let one = parked.length; one < triesOfEach; one += 1) {
      const [method, body] = one % 2 === 0 ? ['GET'] : ['PATCH', described(`by ${turn}`)];
      asked.push(strangers[1 - there]!.ask(method as string, place.path, body, victim.token));
    }
    for (const { status, fault } of await Promise.all(asked)) {
      tries.later += 1;
      if (fault || status < 400) passed.push(`${way.name}: ${fault ?? status}`);
    }
    for (const status of await Promise.all(parked.map(one => one.finish()))) {
      tries.parked += 1;
      if (!(status >= 400)) passed.push(`${way.name}, begun before: ${status}`);
    }
    if (turn % 100 === 99) say(`${turn + 1} shut out`);
  });
  for (const one of new Set(passed)) say(one);
  return [
    seen('answered before', tries.before),
    seen('tries on the other server behind the acknowledgement', tries.later),
    seen('requests begun there before, ended behind it', tries.parked),
    atMost('let in', passed.length, 0),
  ];
};

interface Victim {
  id: string;
  token: string;
  tokenId: string;
  membershipId: string;
}

const ways: readonly { name: string; request: (victim: Victim) => [string, string] }[] = [
  { name: 'token revoked', request: ({ tokenId }) => ['DELETE', `authentication-tokens/${tokenId}`] },
  { name: 'member removed', request: ({ membershipId }) => ['DELETE', `organization-memberships/${membershipId}`] },
  { name: 'account deleted', request: ({ id }) => ['DELETE', `admin/users/${id}`] },
];

async function member(
  client: Client,
  { organization, teamId }: { organization: string; teamId: string },
  username: string,
): Promise<Victim> {
  const email = `${username}@example.com`;
  const { id } = await client.make('admin/users', 'users', { username, email });
  const token: Document = await client.make(`users/${id}/authentication-tokens`, 'authentication-tokens', {
    description: username,
  });
  const path = `organizations/${organization}/organization-memberships`;
  const teams = { teams: { data: [{ type: 'teams', id: teamId }] } };
  const { id: membershipId } = await client.make(path, 'organization-memberships', { email }, teams);
  return { id, membershipId, token: token.attributes.token, tokenId: token.id };
}

/** A change of which the server has all but the last byte. */
async function begin(port: number, path: string, token: string): Promise<{ finish: () => Promise<number> }> {
  const body = JSON.stringify(described('by a request begun before'));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  const head =
    `PATCH /api/v2/${path} HTTP/1.1\r\nhost: terrane\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n` +
    `content-type: application/vnd.api+json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`;
  await new Promise(resolve => socket.write(head, resolve));
  let said = '';
  socket.on('data', chunk => (said += chunk));
  const closed = new Promise(resolve => socket.once('close', resolve));
  return {
    finish: async () => {
      socket.write(body.slice(-1));
      await closed;
      return Number(said.slice(9, 12));
    },
  };
}
