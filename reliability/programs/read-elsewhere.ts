/** R12: what one server has acknowledged, the other one shows to whoever asks next. */

import { atOnce } from '../../test/running/at-once.ts';
import type { Document, Outcome } from '../client.ts';
import { tally } from '../load.ts';
import { openPair } from '../pair.ts';
import { atMost, type Program, seen } from '../program.ts';
import { described, furnish } from '../world.ts';

const workers = 8;

export const readElsewhere: Program = async ({ isQuick, count = isQuick ? 1000 : 10_000, say, ...told }) => {
  const { servers, clients } = await openPair(told);
  const { organization, workspaces } = await furnish(servers[0], 'elsewhere', workers);
  const teams: string[] = [];
  for (let worker = 0; worker < workers; worker += 1) {
    teams.push((await clients[0].make(`organizations/${organization}/teams`, 'teams', { name: `team-${worker}` })).id);
  }
  const [stale, failed]: [string[], Outcome[]] = [[], []];
  // Each worker has a workspace and a team to itself: what it has written last is what there is.
  await atOnce(workers, count, async (turn, worker) => {
    const [writer, reader] = turn % 2 === 0 ? clients : [clients[1], clients[0]];
    const said = `write-${turn}`;
    const own = { ...workspaces[worker]!, organization, teamId: teams[worker]! };
    const { write, read } = kinds[turn % kinds.length]!(own, said);
    const written = await writer.ask(...write);
    if (written.status !== 200) return void failed.push(written);
    const shown = await reader.ask('GET', read.path);
    if (shown.status !== 200) return void failed.push(shown);
    if (!read.isShown(shown.document.data)) stale.push(`${write[0]} ${write[1]}, then ${read.path}`);
    if (turn % 1000 === 999) say(`${turn + 1} of ${count}`);
  });
  if (stale.length > 0) say(`stale: ${[...new Set(stale.map(one => one.replaceAll(/\w+-\w{16}/g, '…')))].join('; ')}`);
  return [
    seen('writes on one server, reads on the other', count),
    atMost('stale', stale.length, 0),
    { ...atMost('failed', failed.length, 0), found: tally(failed) },
  ];
};

interface Own {
  id: string;
  name: string;
  organization: string;
  teamId: string;
}

interface Kind {
  write: [string, string, unknown];
  read: { path: string; isShown: (data: Document) => boolean };
}

const patch = ({ id }: Own, said: string): Kind['write'] => ['PATCH', `workspaces/${id}`, described(said)];
const isDescribed = (said: string) => (data: Document) => data.attributes.description === said;

const kinds: readonly ((own: Own, said: string) => Kind)[] = [
  (own, said) => ({ write: patch(own, said), read: { path: `workspaces/${own.id}`, isShown: isDescribed(said) } }),
  (own, said) => ({
    write: patch(own, said),
    read: { path: `organizations/${own.organization}/workspaces/${own.name}`, isShown: isDescribed(said) },
  }),
  (own, said) => ({
    write: patch(own, said),
    read: {
      path: `organizations/${own.organization}/workspaces?search[name]=${own.name}`,
      isShown: data => data[0]?.attributes.description === said,
    },
  }),
  ({ teamId }, said) => ({
    write: ['PATCH', `teams/${teamId}`, { data: { type: 'teams', attributes: { name: said } } }],
    read: { path: `teams/${teamId}`, isShown: data => data.attributes.name === said },
  }),
  ({ id }, said) => ({
    write: [
      'PATCH',
      `workspaces/${id}/tag-bindings`,
      { data: [{ type: 'tag-bindings', attributes: { key: 'last', value: said } }] },
    ],
    read: { path: `workspaces/${id}/tag-bindings`, isShown: data => data[0]?.attributes.value === said },
  }),
];
