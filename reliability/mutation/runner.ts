/** A process that runs tests on one mutant after the other, with a PostgreSQL of its own. Nothing on disk is changed. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type TestModule } from 'vitest/node';

export interface Task {
  /** From the root of the repository. */
  file: string;
  source: string;
  /** Tests in the order in which they are tried: files that run together. */
  tests: readonly (readonly string[])[];
}

export interface Outcome {
  /** The first test that failed; null where none did. */
  killedBy: string | null;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
let mutant: { path: string; source: string } | undefined;

const inPlace = {
  name: 'mutant',
  enforce: 'pre' as const,
  load: (id: string) => (id === mutant?.path ? mutant.source : undefined),
};

const vitest = await createVitest(
  'test',
  {
    root,
    config: false,
    watch: false,
    globalSetup: ['test/running/database.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    bail: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: [{}],
    silent: true,
  },
  { plugins: [inPlace] },
);
await vitest.standalone();

process.on('message', ({ file, source, tests }: Task) => {
  void run(join(root, file), source, tests).then(outcome => process.send!(outcome));
});
process.once('disconnect', () => void vitest.close().finally(() => process.exit(0)));
process.send!('ready');

async function run(path: string, source: string, tests: Task['tests']): Promise<Outcome> {
  const before = mutant;
  mutant = { path, source };
  for (const one of [before?.path, path]) if (one) vitest.invalidateFile(one);
  for (const together of tests) {
    // What failed before would count towards the failure at which a run ends.
    vitest.state.filesMap.clear();
    vitest.state.idMap.clear();
    const specifications = together.map(test => vitest.getRootProject().createSpecification(join(root, test)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    const killedBy = failureIn(testModules) ?? (unhandledErrors.length > 0 ? String(unhandledErrors[0]) : null);
    if (killedBy) return { killedBy };
  }
  return { killedBy: null };
}

function failureIn(modules: readonly TestModule[]): string | null {
  for (const module of modules) {
    if (module.state() !== 'failed') continue;
    const [test] = [...module.children.allTests('failed')];
    return `${module.relativeModuleId}: ${test?.fullName ?? module.errors()[0]?.message ?? 'not run'}`;
  }
  return null;
}
