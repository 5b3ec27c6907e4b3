// All that command lines do with remote execution, and what becomes of runs and fetches that something happens to: `npm run e2e:runs`.
// Engines, git and deadlines take minutes, so `npm test` keeps one apply of it.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['e2e/remote/**/*.full.ts', 'agent/**/*.full.ts'],
    setupFiles: ['e2e/remote/ports.ts'],
    globalSetup: ['test/running/bundle.ts', 'test/running/database.ts'],
    pool: 'forks',
    isolate: false,
    // Both wait for engines most of the time.
    maxWorkers: 2,
  },
});
