// Whole servers and real clients: all that command lines do, with runs that Terrane executes, and what becomes of runs, moves and
// backups that something happens to: `npm run e2e`. It takes minutes, so `npm test` keeps a sign-in, an apply and a first start of it.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['e2e/*.full.ts', 'e2e/remote/**/*.full.ts', 'agent/**/*.full.ts', 'src/**/*.full.ts'],
    setupFiles: ['e2e/ports.ts'],
    globalSetup: ['test/running/bundle.ts', 'test/running/database.ts'],
    reporters: ['default', 'test/running/reporter.ts'],
    pool: 'forks',
    isolate: false,
    // Both wait for engines most of the time.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
