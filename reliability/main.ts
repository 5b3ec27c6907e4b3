/** `npm run reliability`: programs that do harm, and look whether anything was lost. docs/reliability.md says what they found. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endEverything } from './processes.ts';
import type { Finding, Program, Told } from './program.ts';
import { backup } from './programs/backup.ts';
import { databaseAway } from './programs/database-away.ts';
import { failover } from './programs/failover.ts';
import { floods } from './programs/floods.ts';
import { freezes } from './programs/freezes.ts';
import { hiddenNames } from './programs/hidden-names.ts';
import { interleavings } from './programs/interleavings.ts';
import { longRun } from './programs/long-run.ts';
import { migrations } from './programs/migrations.ts';
import { move } from './programs/move.ts';
import { readElsewhere } from './programs/read-elsewhere.ts';
import { revokedElsewhere } from './programs/revoked-elsewhere.ts';
import { rollingRestart } from './programs/rolling-restart.ts';

const programs: Record<string, { means: string; run: Program }> = {
  R2: { means: 'a few callers at once, on two servers, about one record', run: interleavings },
  R5: { means: 'the primary dies, and a replica takes its place', run: failover },
  R6: { means: 'two servers are restarted in turns under load', run: rollingRestart },
  R7: { means: 'PostgreSQL is away for half a minute', run: databaseAway },
  R8: { means: 'a server is frozen while it holds a row, and then PostgreSQL', run: freezes },
  R9: { means: 'a million requests: what grows, and what stays open', run: longRun },
  R10: { means: 'a backup is taken under write load and restored elsewhere', run: backup },
  R11: { means: 'migrations while the release before goes on serving', run: migrations },
  R12: { means: 'written on one server, read on the other', run: readElsewhere },
  S7: { means: 'shut out on one server, tried on the other', run: revokedElsewhere },
  S8: { means: 'hidden and missing names, by the time that they take', run: hiddenNames },
  S9: { means: 'a good caller beside floods and slow connections', run: floods },
  move: { means: 'an organization moves to another server, broken off twice', run: move },
};

const usage = `npm run reliability -- PROGRAM… [options]

${Object.entries(programs)
  .map(([name, { means }]) => `  ${name.padEnd(4)} ${means}`)
  .join('\n')}

  --quick                    the same questions, fewer of each
  --count NUMBER             how much of what the program counts, in place of its own number
  --seed NUMBER              of what is drawn by lot; printed with every run
  --program FILE             another bundle than dist/main.js: one that was broken on purpose, to see that it is seen
  --environment NAME=VALUE   for the servers; may be said several times
  --migrations DIRECTORY     in place of ours, for R11
  --postgres DIRECTORY       programs of another PostgreSQL than the one that comes along

Servers and PostgreSQL listen on the loopback, on the ports that RELIABILITY_PORTS names (9600-9649).`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    count: { type: 'string' },
    seed: { type: 'string' },
    program: { type: 'string' },
    environment: { type: 'string', multiple: true, default: [] },
    postgres: { type: 'string' },
    migrations: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help || positionals.length === 0) {
  console.log(usage);
} else {
  const unknown = positionals.filter(name => !programs[name]);
  if (unknown.length > 0) throw new Error(`There is no program ${unknown.join(', ')}.\n\n${usage}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endEverything().finally(() => process.exit(1)));
  // What it has started would outlive it.
  process.once('uncaughtException', fault => {
    console.error(fault);
    void endEverything().finally(() => process.exit(1));
  });
  for (const name of positionals) if (!(await run(name))) process.exitCode = 1;
}

async function run(name: string): Promise<boolean> {
  const { means, run: work } = programs[name]!;
  const seed = Number(options.seed ?? Date.now() % 1_000_000);
  const told: Told = {
    isQuick: options.quick,
    program: options.program,
    environment: Object.fromEntries(options.environment.map(one => one.split(/=(.*)/s).slice(0, 2))),
    postgres: options.postgres,
    migrations: options.migrations,
    count: options.count === undefined ? undefined : Number(options.count),
    seed,
    say: text => console.error(`  ${text}`),
  };
  console.log(`${name}: ${means} (${machine()}, seed ${seed})`);
  const started_ms = performance.now();
  try {
    const findings = await work(told);
    for (const { what, found, goal, holds } of findings)
      console.log(`  ${holds ? 'holds ' : 'BROKEN'}  ${what.padEnd(52)} ${found}   (${goal})`);
    console.log(
      `  ${((performance.now() - started_ms) / 1000).toFixed(0)} s, load ${loadavg()[0]!.toFixed(1)} at the end`,
    );
    return findings.every(({ holds }: Finding) => holds);
  } finally {
    await endEverything();
  }
}

function machine(): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `${commit}, Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]!.toFixed(1)}`;
}
