/** The program as users start it: the bundle that test/running/bundle.ts builds, for tests that run it in a process of its own. */
import { fileURLToPath } from 'node:url';

/** For `spawn(process.execPath, [...program, 'serve'])`. */
export const program: readonly string[] = [
  '--enable-source-maps',
  fileURLToPath(new URL('../../dist/main.js', import.meta.url)),
];
