/** What of a report an operator should look at: each a sentence that says what to do. Values in, sentences out. */

export interface Observed {
  schema: { version: number; known: number };
  database: {
    connections: number;
    'connections-limit': number;
    'oldest-write-seconds': number;
    'is-embedded': boolean;
  };
  lanes: readonly { name: string; waiting: number }[];
  replicas: readonly { name: string; 'lag-bytes': number | null }[];
  jobs: readonly { name: string; 'finished-at': string | null }[];
  disk: { 'free-bytes': number | null; 'total-bytes': number | null };
  servers: readonly Record<string, unknown>[];
  agents: { answering: number; 'jobs-queued': number; 'oldest-queued-seconds': number };
}

const share = 0.9;
const leastFree_bytes = 1024 ** 3;
const longWrite_seconds = 30;
const longQueue_seconds = 300;
const farBehind_bytes = 64 * 1024 ** 2;
const manyWaiting = 100;
const staleJob_ms = 3 * 3_600_000;

export function attentionTo(seen: Observed, now_ms = Date.now()): string[] {
  return [
    ...ofDatabase(seen),
    ...ofServers(seen),
    ...seen.lanes
      .filter(({ waiting }) => waiting > manyWaiting)
      .map(
        ({ name, waiting }) =>
          `${waiting} statements wait in the lane ${name}: raise TERRANE_CONNECTIONS, or look for slow ones.`,
      ),
    ...seen.replicas
      .filter(replica => (replica['lag-bytes'] ?? 0) > farBehind_bytes)
      .map(({ name }) => `The replica ${name} is more than 64 MiB behind: look at its network and its disk.`),
    ...seen.jobs
      .filter(job => job['finished-at'] !== null && now_ms - Date.parse(job['finished-at']) > staleJob_ms)
      .map(
        ({ name }) =>
          `The job ${name} has not come to its end for three hours: look for its warnings in the logs of the servers.`,
      ),
    ...ofAgents(seen.agents),
  ];
}

function ofDatabase({ schema, database, disk }: Observed): string[] {
  const found: string[] = [];
  if (schema.version > schema.known)
    found.push('The schema is newer than this server knows: it was upgraded by another one. Upgrade this server, too.');
  if (database.connections > share * database['connections-limit'])
    found.push(
      'Nearly all connections of the database are in use: raise max_connections, or lower TERRANE_CONNECTIONS.',
    );
  if (database['oldest-write-seconds'] > longWrite_seconds)
    found.push(
      'A transaction that writes has been open for half a minute: who follows changes hears of nothing meanwhile.',
    );
  const { 'free-bytes': free, 'total-bytes': total } = disk;
  const isShort = free !== null && total !== null && (free < leastFree_bytes || free < (1 - share) * total);
  if (database['is-embedded'] && isShort)
    found.push('The disk of the data directory is nearly full: make room before writes are refused.');
  return found;
}

function ofServers({ servers }: Observed): string[] {
  const silent = servers.filter(server => server['is-answering'] === false);
  const versions = new Set(servers.filter(server => server['is-answering']).map(server => server['version']));
  return [
    ...silent.map(
      ({ host, 'process-id': pid }) => `The server ${host} (process ${pid}) ended without a word, or hangs.`,
    ),
    ...(versions.size > 1
      ? [`The servers have different versions (${[...versions].sort().join(', ')}): end the upgrade.`]
      : []),
  ];
}

function ofAgents(agents: Observed['agents']): string[] {
  if (agents['oldest-queued-seconds'] <= longQueue_seconds) return [];
  const why = agents.answering === 0 ? 'no agent answers' : 'no agent of its pool is free';
  return [`A job has waited for an agent for over five minutes: ${why}.`];
}
