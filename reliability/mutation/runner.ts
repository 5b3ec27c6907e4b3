/** A process that runs tests on one mutant after the other, with a PostgreSQL of its own. Nothing on disk is changed. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Compiled, compile, evaluate, notCompiled, prepare } from './modules.ts';

export interface Task {
  /** What is other than on disk, by its path from the root of the repository. */
  sources: Readonly<Record<string, string>>;
  /** The file of tests that is run, until one fails. */
  test: string;
}

export interface Outcome {
  /** The first test that failed; null where none did. */
  killedBy: string | null;
  /** How long the tests took. */
  took_ms: number;
  /** What the sources said of their being reached. */
  reached: readonly string[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const provided: Record<string, unknown> = {};
const config = {
  root,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 0,
  maxConcurrency: 1,
  sequence: { hooks: 'stack', setupFiles: 'list' },
  setupFiles: [],
  tags: [],
  expect: {},
  fakeTimers: {},
};
// Vitest's own words ask for these wherever they are used; it starts a process for each run, which costs four seconds.
Object.assign(globalThis, {
  __vitest_worker__: { config, providedContext: provided, filepath: '', ctx: {}, rpc: {} },
});
const { vi } = await import('vitest');
const { startTests } = await import('vitest/internal/browser');
const { default: startDatabase } = await import('../../test/running/database.ts');
const stopDatabase = await startDatabase({
  provide: (name: string, value: unknown) => void Object.assign(provided, { [name]: value }),
} as never);

const reached = new Set<string>();
Object.assign(globalThis, { mutantReached: (place: string) => void reached.add(place) });

let failure: string | null = null;
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => {
    failure ??= String(error);
  });
process.on('message', (task: Task) => void run(task).then(outcome => process.send!(outcome)));
process.once('disconnect', () => void stopDatabase().finally(() => process.exit(0)));
process.send!('ready');

async function run({ sources, test }: Task): Promise<Outcome> {
  const started_ms = performance.now();
  reached.clear();
  failure = null;
  const outcome = (killedBy: string | null): Outcome => {
    return { killedBy, took_ms: performance.now() - started_ms, reached: [...reached] };
  };
  const instead = new Map<string, Compiled>();
  try {
    for (const [file, source] of Object.entries(sources)) instead.set(join(root, file), compile(file, source));
  } catch {
    return outcome(notCompiled);
  }
  await runFile(test, instead);
  return outcome(failure);
}

interface Ran {
  name: string;
  mode: string;
  result?: { state: string; errors?: { message: string }[] };
}

/** Runs the tests of a file until one fails; what they opened is closed in any case. */
async function runFile(test: string, instead: ReadonlyMap<string, Compiled>): Promise<void> {
  const path = join(root, test);
  await prepare(path);
  const note = ({ name, result }: Ran) => {
    if (result?.state === 'fail') failure ??= `${name}: ${result.errors?.[0]?.message.split('\n')[0]}`;
  };
  const [file] = await startTests([{ filepath: path, testLocations: undefined }], {
    config,
    importFile: () => evaluate(path, instead),
    injectValue: (name: string) => provided[name],
    onBeforeRunTask: (task: Ran) => {
      if (failure !== null) task.mode = 'skip';
    },
    onAfterRunTask: note,
    onAfterRunSuite: note,
  } as never);
  note(file as Ran);
  vi.useRealTimers();
  vi.restoreAllMocks();
}
