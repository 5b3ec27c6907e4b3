// The full run over the interface: `npm run e2e:web`. It takes minutes, so `npm test` leaves it out.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['e2e/web/**/*.full.ts'],
    globalSetup: ['test/running/bundle.ts', 'test/running/database.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
