/** `npm run mutants`: how much of what the rules of access say is proved by a test. docs/reliability.md says what was found. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawsFor } from '../../src/commands/seed/draws.ts';
import { changed, type Mutant, mutantsOf, told } from './mutants.ts';
import type { Outcome, Task } from './runner.ts';
import { type Target, targets } from './targets.ts';

const goal = 0.9;
/** What the tests may take on what nobody has changed. */
const cleanLimit_ms = 600_000;
/** A mutant may keep them busy for ever: so many times as long as without it, and a little for a busy moment. */
const [times, more_ms] = [10, 20_000];
const late = 'tests that do not end';

const usage = `npm run mutants -- [options]

  --count NUMBER   so many, drawn by lot from all; without it all of them
  --seed TEXT      of the lot (1)
  --minutes NUMBER begins no more behind that time: what was judged until then is a smaller draw
  --only TEXT,…    of files whose path has one of these in it
  --stages NUMBER  of tests, from the quickest; what they do not see counts as unseen
  --workers NUMBER processes that run tests (2)
  --list           says what would be changed, and runs nothing`;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    only: { type: 'string', default: '' },
    stages: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const root = new URL('../../', import.meta.url);
const sourceOf = (file: string) => readFileSync(new URL(file, root), 'utf8');

interface Work {
  mutant: Mutant;
  tests: Target['tests'];
}

if (options.help) console.log(usage);
else {
  const stages = Number(options.stages);
  const all = targets.flatMap(({ files, tests: every }) => {
    const tests = every.slice(0, stages);
    return files.flatMap(file => mutantsOf(file, sourceOf(file)).map(mutant => ({ mutant, tests })));
  });
  const meant = all.filter(({ mutant }) => options.only.split(',').some(part => mutant.file.includes(part)));
  const chosen = options.count === undefined ? meant : lot(meant, Number(options.count), options.seed);
  console.log(`${chosen.length} of ${all.length} mutants, seed ${options.seed}, load ${loadavg()[0]!.toFixed(1)}`);
  if (options.list) for (const { mutant } of chosen) console.log(told(mutant));
  else await judge(chosen);
}

function lot(works: readonly Work[], count: number, seed: string): Work[] {
  const draws = drawsFor(seed);
  const left = [...works];
  return Array.from({ length: Math.min(count, works.length) }, () => left.splice(draws.below(left.length), 1)[0]!);
}

/** Runs the tests on each, and prints the score: the share that a test saw. */
async function judge(works: readonly Work[]): Promise<void> {
  const started_ms = performance.now();
  const survivors: Mutant[] = [];
  const byFile = new Map<string, { killed: number; all: number }>();
  const queue = [...works];
  let done = 0;
  await Promise.all(
    Array.from({ length: Number(options.workers) }, async () => {
      let runner: Runner | undefined;
      let proven: { tests: Target['tests']; limit_ms: number } | undefined;
      while (queue.length > 0 && performance.now() < started_ms + Number(options.minutes) * 60_000) {
        const { mutant, tests } = queue.shift()!;
        const { file } = mutant;
        const source = sourceOf(file);
        runner ??= await openRunner();
        if (proven?.tests !== tests) proven = { tests, limit_ms: await provenLimit(runner, { file, source, tests }) };
        const killedBy = await runner.run({ file, source: changed(source, mutant), tests }, proven.limit_ms);
        if (killedBy === late) [runner, proven] = [undefined, undefined];
        const tally = byFile.get(mutant.file) ?? { killed: 0, all: 0 };
        byFile.set(mutant.file, tally);
        tally.all += 1;
        done += 1;
        if (killedBy === null) {
          survivors.push(mutant);
          console.log(`survived  ${told(mutant)}`);
        } else {
          tally.killed += 1;
          console.error(`${done} of ${works.length}: ${told(mutant)}; seen by ${killedBy}`);
        }
      }
      await runner?.end();
    }),
  );
  for (const [file, { killed, all }] of [...byFile].sort()) console.log(`${file.padEnd(60)} ${killed} of ${all}`);
  const score = (done - survivors.length) / done;
  const minutes = (performance.now() - started_ms) / 60_000;
  console.log(
    `${score >= goal ? 'holds ' : 'BROKEN'}  ${(score * 100).toFixed(1)} % of ${done} were seen (≥ ${goal * 100} %), in ${minutes.toFixed(0)} minutes, load ${loadavg()[0]!.toFixed(1)}`,
  );
  if (score < goal) process.exitCode = 1;
}

interface Runner {
  /** What saw it; null where nothing did. */
  run: (task: Task, limit_ms: number) => Promise<string | null>;
  end: () => Promise<void>;
}

/** How long the tests may take, by how long they do. They must pass on what nobody has changed: else they would see everything. */
async function provenLimit(runner: Runner, clean: Task): Promise<number> {
  const started_ms = performance.now();
  const failed = await runner.run(clean, cleanLimit_ms);
  if (failed) throw new Error(`On what nobody has changed: ${failed}`);
  return more_ms + Math.ceil(times * (performance.now() - started_ms));
}

async function openRunner(): Promise<Runner> {
  const child = fork(fileURLToPath(new URL('runner.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    run: async (task, limit_ms) => {
      child.send(task);
      const limit = AbortSignal.timeout(limit_ms);
      try {
        const [{ killedBy }] = (await once(child, 'message', { signal: limit })) as [Outcome];
        return killedBy;
      } catch {
        child.kill('SIGKILL');
        return late;
      }
    },
    end: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
