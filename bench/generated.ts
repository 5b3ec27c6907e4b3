/** `npx tsx bench/generated.ts --requests 100000 --seed 1`: requests made from the OpenAPI description, and what they find. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../src/core/store/embedded.ts';
import { migrate } from '../src/core/store/migrate.ts';
import { openAppOn } from '../test/app.ts';
import { kinds, type Report, sendGenerated } from '../test/nets/generated.ts';

const slowMilliseconds = 1000;

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    /** One of the kinds alone. */
    kind: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const directory = mkdtempSync(join(tmpdir(), 'terrane-generated-'));
const silent = () => undefined;
const log = { debug: silent, info: silent, warn: console.error, error: console.error };
const embedded = await startEmbedded({ dataDirectory: directory, log, durable: false });
try {
  await migrate(embedded.connection);
  const app = await openAppOn({ connection: embedded.connection, drop: async () => undefined });
  const started = performance.now();
  let isStopped = false;
  // Ctrl-C prints what was found so far.
  process.once('SIGINT', () => {
    isStopped = true;
  });
  const asked = kinds.filter(kind => options.kind === undefined || kind === options.kind);
  const report = await sendGenerated(app, Number(options.requests), Number(options.seed), () => isStopped, asked);
  print(report, (performance.now() - started) / 1000);
  await app.close();
  const isSlow = report.worst.some(({ milliseconds }) => milliseconds > slowMilliseconds);
  process.exitCode = report.findings.length > 0 || isSlow ? 1 : 0;
} finally {
  await embedded.stop();
  rmSync(directory, { recursive: true, force: true });
}

function print(report: Report, seconds: number): void {
  if (options.json) console.log(JSON.stringify(report));
  const rate = Math.round(report.requests / seconds);
  console.log(
    `${report.requests} requests in ${seconds.toFixed(0)} s (${rate} a second), made anew ${report.rebuilt} times`,
  );
  for (const [kind, statuses] of Object.entries(report.byKind)) {
    const figures = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    console.log(`  ${kind.padEnd(8)} ${figures.join('  ')}`);
  }
  console.log(`never successful: ${report.unsuccessful.join(', ') || 'none'}`);
  console.log('slowest:');
  for (const { operation, milliseconds } of report.worst)
    console.log(`  ${milliseconds.toFixed(0).padStart(6)} ms  ${operation}`);
  console.log(`findings: ${report.findings.length}`);
  for (const { what, operation, count, example } of report.findings) {
    console.log(`\n* ${operation}: ${what} (${count} ×)\n    ${example}`);
  }
}
