import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'agent/**/*.test.ts',
      'test/**/*.test.ts',
      'e2e/**/*.test.ts',
      'web/src/**/*.test.ts',
    ],
    globalSetup: ['test/running/bundle.ts', 'test/running/database.ts'],
    reporters: ['default', 'test/running/reporter.ts'],
    pool: 'forks',
    // One process keeps its modules from file to file: half the time, and each file has a database of its own anyway.
    isolate: false,
    // For two cores: much of a test's time goes by while servers start, and what is not over in time is waited for.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
