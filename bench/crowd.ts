/** Agents that only report, in a process of their own: `tsx bench/crowd.ts PORT POOL_TOKEN AGENTS JOB_SECONDS`. Prints what it saw when told to end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { longestWait_s, protocolPath } from '../agent/protocol.ts';
import { type Line, openLine, type Request } from './load.ts';

/** What all of them saw together. Times in milliseconds. */
export interface Seen {
  jobs: number;
  /** Answers by status. */
  statuses: Record<number, number>;
  /** From sending a piece of a log until it can be read. */
  pieces: number[];
}

const piecesOfJob = 4;
const piece = `${'A line of a plan, as long as they commonly are in such logs.\n'.repeat(16)}`;
const report = JSON.stringify({ outcome: 'finished', has_changes: true, resource_additions: 1 });

const seen: Seen = { jobs: 0, statuses: {}, pieces: [] };

/** As agents do, again and later where the server cannot now. */
async function ask(line: Line, token: string, method: Request['method'], path: string, body?: string) {
  const type = path.startsWith('/job/log') ? 'application/octet-stream' : 'application/json';
  const request = { method, path: protocolPath + path, token, type, ...(body !== undefined && { body }) };
  for (let pause_ms = 200; ; pause_ms *= 2) {
    const { status, bytes } = await line.ask(request);
    seen.statuses[status] = (seen.statuses[status] ?? 0) + 1;
    const isForNow = status >= 500 || status === 429;
    if (status >= 400 && !isForNow && status !== 410) throw new Error(`${method} ${path}: ${status} ${bytes}`);
    if (!isForNow) return { status, json: bytes.length > 0 && status === 200 ? JSON.parse(bytes.toString()) : null };
    await sleep(pause_ms * (0.5 + Math.random()));
  }
}

async function agent(port: number, poolToken: string, jobSeconds: number): Promise<void> {
  const line = await openLine({ port, token: poolToken });
  const { json: known } = await ask(line, poolToken, 'POST', '/register', '{"engines":[]}');
  for (;;) {
    const { json: handed } = await ask(line, known.secret, 'POST', '/jobs/claim', `{"wait_s":${longestWait_s}}`);
    if (handed) await work(line, handed.token, jobSeconds);
  }
}

async function work(line: Line, token: string, jobSeconds: number): Promise<void> {
  await ask(line, token, 'POST', '/job/start', '{}');
  for (let sent = 0; sent < piecesOfJob; sent += 1) {
    await sleep((jobSeconds * 1000) / piecesOfJob);
    const since = performance.now();
    await ask(line, token, 'PATCH', `/job/log?offset=${sent * piece.length}`, piece);
    seen.pieces.push(performance.now() - since);
    if (sent % 2 === 0) await ask(line, token, 'POST', '/job/beat', '{}');
  }
  const { status } = await ask(line, token, 'POST', '/job/finish', report);
  if (status < 300) seen.jobs += 1;
}

const [port, poolToken, agents, jobSeconds] = process.argv.slice(2);
if (port && poolToken && agents && jobSeconds) {
  for (let count = 0; count < Number(agents); count += 1) {
    agent(Number(port), poolToken, Number(jobSeconds)).catch(error => {
      console.error(error);
      process.exit(1);
    });
  }
  process.stdin.once('data', () => process.stdout.write(JSON.stringify(seen), () => process.exit(0)));
}
