/** `npm run mutants`: how much of what the rules of access say is proved by a test. docs/reliability.md says what was found. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawsFor } from '../../src/commands/seed/draws.ts';
import { notCompiled } from './modules.ts';
import { changed, type Mutant, mutantsOf, reporting, told } from './mutants.ts';
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
  --again FILE     those alone that a run before this one printed as unseen
  --first NUMBER   files of tests alone, from the quickest; what others see counts as unseen
  --workers NUMBER processes that run tests (1)
  --list           says what would be changed, and runs nothing`;

const { values: options } = parseArgs({
  options: {
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
    only: { type: 'string', default: '' },
    again: { type: 'string' },
    first: { type: 'string', default: 'Infinity' },
    workers: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const root = new URL('../../', import.meta.url);
const sourceOf = (file: string) => readFileSync(new URL(file, root), 'utf8');
const unseen = 'survived  ';

interface Work {
  mutant: Mutant;
  target: Target;
}

interface Proved {
  took_ms: number;
  /** The functions that it calls. */
  reached: ReadonlySet<string>;
}

/** By place: what saw the last change in it sees the next one most likely. */
const lastSeenBy = new Map<string | null, string>();
/** By a test and what it is of; null for tests that fail on what nobody has changed: they would see everything. */
const provedBefore = new Map<string, Promise<Proved | null>>();

if (options.help) console.log(usage);
else {
  const all = targets.flatMap(target =>
    target.files.flatMap(file => mutantsOf(file, sourceOf(file)).map(mutant => ({ mutant, target }))),
  );
  const again = options.again === undefined ? null : new Set(readFileSync(options.again, 'utf8').split('\n'));
  const meant = all
    .filter(({ mutant }) => options.only.split(',').some(part => mutant.file.includes(part)))
    .filter(({ mutant }) => again === null || again.has(unseen + told(mutant)));
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
  const byFile = new Map<string, { killed: number; all: number }>();
  const queue = [...works];
  await Promise.all(
    Array.from({ length: Number(options.workers) }, async () => {
      let runner: Runner | undefined;
      while (queue.length > 0 && performance.now() < started_ms + Number(options.minutes) * 60_000) {
        const { mutant, target } = queue.shift()!;
        const { file } = mutant;
        runner ??= await openRunner();
        const { killedBy, took_ms } = await judged(mutant, target, runner);
        if (killedBy === late) runner = undefined;
        if (killedBy === notCompiled) continue;
        const tally = byFile.get(file) ?? { killed: 0, all: 0 };
        byFile.set(file, tally);
        tally.all += 1;
        if (killedBy === null) console.log(unseen + told(mutant));
        else {
          tally.killed += 1;
          console.error(
            `seen      ${told(mutant)}; in ${took_ms.toFixed(0)} ms by ${lastSeenBy.get(mutant.place)}: ${killedBy}`,
          );
        }
      }
      await runner?.end();
    }),
  );
  for (const [file, { killed, all }] of [...byFile].sort()) console.log(`${file.padEnd(60)} ${killed} of ${all}`);
  const sum = (of: 'killed' | 'all') => [...byFile.values()].reduce((total, tally) => total + tally[of], 0);
  const score = sum('killed') / sum('all');
  const minutes = (performance.now() - started_ms) / 60_000;
  console.log(
    `${score >= goal ? 'holds ' : 'BROKEN'}  ${(score * 100).toFixed(1)} % of ${sum('all')} were seen (≥ ${goal * 100} %), in ${minutes.toFixed(0)} minutes, load ${loadavg()[0]!.toFixed(1)}`,
  );
  if (score < goal) process.exitCode = 1;
}

/** Runs the tests that reach the change, one after the other, until one fails. */
async function judged(mutant: Mutant, target: Target, runner: Runner): Promise<Outcome> {
  const { file, place } = mutant;
  const likely = lastSeenBy.get(place);
  const tests = target.tests.slice(0, Number(options.first));
  const sources = { [file]: changed(sourceOf(file), mutant) };
  let outcome: Outcome = { killedBy: null, took_ms: 0, reached: [] };
  for (const test of new Set(likely && tests.includes(likely) ? [likely, ...tests] : tests)) {
    const proved = await provedBy(test, target, runner);
    if (proved === null || (place !== null && !proved.reached.has(place))) continue;
    const limit_ms = more_ms + times * proved.took_ms;
    outcome = await runner.run({ sources, test }, limit_ms);
    // What was late may have been so for want of a processor.
    if (/timed out/i.test(outcome.killedBy ?? '')) outcome = await runner.run({ sources, test }, limit_ms);
    if (outcome.killedBy === null) continue;
    lastSeenBy.set(place, test);
    break;
  }
  return outcome;
}

function provedBy(test: string, { files }: Target, runner: Runner): Promise<Proved | null> {
  const key = JSON.stringify([test, files]);
  const known = provedBefore.get(key) ?? prove(test, files, runner);
  provedBefore.set(key, known);
  return known;
}

async function prove(test: string, files: readonly string[], runner: Runner): Promise<Proved | null> {
  const sources = Object.fromEntries(files.map(file => [file, reporting(file, sourceOf(file))]));
  let outcome = await runner.run({ sources, test }, cleanLimit_ms);
  // On a machine that is too busy, once more: by now all is compiled.
  if (outcome.killedBy) outcome = await runner.run({ sources, test }, cleanLimit_ms);
  const { killedBy, took_ms, reached } = outcome;
  if (killedBy === late) throw new Error(`On what nobody has changed: ${test} does not end`);
  if (killedBy) console.log(`left out, since it fails on what nobody has changed: ${test}: ${killedBy}`);
  console.error(`${(took_ms / 1000).toFixed(1)} s     ${test}`);
  return killedBy ? null : { took_ms, reached: new Set(reached) };
}

interface Runner {
  run: (task: Task, limit_ms: number) => Promise<Outcome>;
  end: () => Promise<void>;
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
      const limit = AbortSignal.timeout(Math.ceil(limit_ms));
      try {
        const [outcome] = (await once(child, 'message', { signal: limit })) as [Outcome];
        return outcome;
      } catch {
        child.kill('SIGKILL');
        return { killedBy: late, took_ms: limit_ms, reached: [] };
      }
    },
    end: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
