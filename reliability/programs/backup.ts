/** R10: a backup is taken under write load and restored elsewhere. What was acknowledged before it began is there, whole, and nothing of it half. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, type Document, openClient } from '../client.ts';
import { command } from '../command.ts';
import { openPostgres, type Postgres } from '../postgres.ts';
import { atExit } from '../processes.ts';
import { atMost, type Finding, type Program, seen, type Told } from '../program.ts';
import { adminToken, server } from '../server.ts';
import { described } from '../world.ts';

const organization = 'backups';
const writers = 8;

/** One workspace, of which only one writer writes: each change has the number behind the one before. */
interface Ledger {
  id: string;
  /** When each change was sent, and when it was acknowledged; the first one is the creation. */
  sent_ms: number[];
  acknowledged_ms: number[];
}

export const backup: Program = async told => {
  const { isQuick, count = isQuick ? 10 : 60, say } = told;
  const [first, second] = [await openPostgres(told.postgres), await openPostgres(told.postgres)];
  const writing = await server(first, told);
  await writing.start();
  const client = openClient({ port: writing.port, token: adminToken });
  await client.make('organizations', 'organizations', { name: organization, email: 'admin@example.com' });
  const load = startWriting(client);
  await sleep((count * 1000) / 2);
  const folder = mkdtempSync(join(tmpdir(), 'terrane-backup-'));
  atExit(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'backup');
  const begun_ms = performance.now();
  await command(first, told, ['backup', file]);
  const ended_ms = performance.now();
  say(`backed up in ${Math.round(ended_ms - begun_ms)} ms, beside ${load.ledgers.length} workspaces`);
  await sleep((count * 1000) / 4);
  await load.end();
  await writing.stop();
  client.close();
  await command(second, told, ['restore', file]);
  const verified = await command(second, told, ['verify', '--json'], [0, 1]);
  const wrong = JSON.parse(verified).checks.filter((check: Document) => check.wrong > 0);
  for (const { name, problems } of wrong) say(`${name}: ${problems[0]}`);
  return [
    ...(await compared(second, told, load.ledgers, { begun_ms, ended_ms })),
    atMost('checks of terrane verify that found something', wrong.length, 0),
    atMost('changes that were refused', load.refused(), 0),
  ];
};

/** Each writer makes workspaces, and gives each a state and some descriptions, one after the other. */
function startWriting(client: Client) {
  const ledgers: Ledger[] = [];
  let [isOver, refused, made] = [false, 0, 0];
  const write = async (ledger: Ledger, ask: () => ReturnType<Client['ask']>) => {
    ledger.sent_ms.push(performance.now());
    const { status, document } = await ask();
    if (status >= 300 || status === 0) refused += 1;
    else ledger.acknowledged_ms.push(performance.now());
    return document;
  };
  const writer = async () => {
    while (!isOver) {
      made += 1;
      const ledger: Ledger = { id: '', sent_ms: [], acknowledged_ms: [] };
      const name = `workspace-${made}`;
      const body = { data: { type: 'workspaces', attributes: { name } } };
      const document = await write(ledger, () => client.ask('POST', `organizations/${organization}/workspaces`, body));
      if (!document?.data) continue;
      ledger.id = document.data.id;
      ledgers.push(ledger);
      await client.ask('POST', `workspaces/${ledger.id}/actions/lock`, {});
      if ((await client.ask('POST', `workspaces/${ledger.id}/state-versions`, state(ledger.id))).status !== 201)
        refused += 1;
      for (let number = 1; number <= 20 && !isOver; number += 1)
        await write(ledger, () => client.ask('PATCH', `workspaces/${ledger.id}`, described(String(number))));
    }
  };
  const all = Array.from({ length: writers }, writer);
  return {
    ledgers,
    refused: () => refused,
    end: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}

function stateOf(id: string): Buffer {
  const outputs = { id: { value: id.repeat(500), type: 'string' } };
  return Buffer.from(
    JSON.stringify({ version: 4, terraform_version: '1.9.0', serial: 1, lineage: id, outputs, resources: [] }),
  );
}

function state(id: string): object {
  const bytes = stateOf(id);
  const md5 = createHash('md5').update(bytes).digest('hex');
  return {
    data: { type: 'state-versions', attributes: { serial: 1, md5, lineage: id, state: bytes.toString('base64') } },
  };
}

interface Moment {
  begun_ms: number;
  ended_ms: number;
}

/** What each workspace of the restored database is, against what was said of it before the backup began and before it ended. */
async function compared(
  postgres: Postgres,
  told: Told,
  ledgers: Ledger[],
  { begun_ms, ended_ms }: Moment,
): Promise<Finding[]> {
  const reading = await server(postgres, told);
  await reading.start();
  const client = openClient({ port: reading.port, token: adminToken });
  const found = { acknowledged: 0, missing: 0, older: 0, newer: 0, half: 0, states: 0, damaged: 0 };
  for (const { id, sent_ms, acknowledged_ms } of ledgers) {
    const least = acknowledged_ms.filter(at => at < begun_ms).length;
    const most = sent_ms.filter(at => at < ended_ms).length;
    const { status, document } = await client.ask('GET', `workspaces/${id}`);
    // The creation is the first of the changes, each of which is an event.
    const changes = status === 200 ? 1 + Number(document.data.attributes.description ?? 0) : 0;
    found.acknowledged += least;
    if (least > 0 && changes === 0) found.missing += 1;
    if (changes < least) found.older += 1;
    if (changes > most) found.newer += 1;
    const [events] = await postgres.query(
      sql => sql<{ count: number }[]>`
        select count(*)::integer as count from audit_events
        where audit_events.resource_id = ${id} and audit_events.action in ('workspaces.create', 'workspaces.update')`,
    );
    if (events!.count !== changes) found.half += 1;
    const current = status === 200 ? await client.ask('GET', `workspaces/${id}/current-state-version`) : null;
    if (current?.status !== 200) continue;
    found.states += 1;
    const address = new URL(current.document.data.attributes['hosted-state-download-url']);
    const content = await fetch(`http://127.0.0.1:${reading.port}${address.pathname}${address.search}`);
    if (!Buffer.from(await content.arrayBuffer()).equals(stateOf(id))) found.damaged += 1;
  }
  client.close();
  await reading.stop();
  return [
    seen('changes acknowledged before the backup began', found.acknowledged),
    seen('states that were read again', found.states),
    atMost('workspaces missing', found.missing, 0),
    atMost('workspaces older than was acknowledged', found.older, 0),
    atMost('workspaces newer than the end of the backup', found.newer, 0),
    atMost('workspaces whose audit says something else', found.half, 0),
    atMost('states that are not the very bytes', found.damaged, 0),
  ];
}
