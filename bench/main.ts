/** `npm run bench`: what Terrane does in a second, beside a hand-written server, and whether its budgets hold. */
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { besideAgents } from './agents.ts';
import { budgets, type MemorySample } from './budgets.ts';
import { type Databases, openDatabases, sizesOf, told } from './databases.ts';
import { besideFloods } from './hostile.ts';
import { ask, load } from './load.ts';
import { type Figures, measure, type Variant } from './measure.ts';
import { startBaseline, startTerrane } from './servers.ts';
import { mixed, readWorkloads, type Samples, sample, writeWorkloads } from './workloads.ts';
import { besidePgbench } from './writes.ts';

const usage = `npm run bench -- [options]
npm run bench -- hostile     a good caller beside one that floods the server, at the first of the sizes
npm run bench -- agents      agents that only report, and somebody who reads beside them, at the first of the sizes
npm run bench -- writes      changes and new workspaces beside pgbench's, at the first of the sizes

  --sizes 1000,20000,200000  workspaces of the organizations, each in a database of its own; 5000x200 puts it among
                             199 others of its size
  --rounds 9                 how often everything is measured; figures are medians
  --seconds 0.3              of each measurement
  --connections 16           requests under way at once
  --requests 100000          mixed requests for the memory budget
  --agents 200               of a pool, for agents
  --jobs 1000                plans that wait for them, in as many workspaces as there are; each is applied
  --job-seconds 0            how long an agent works on a job
  --only show                workloads whose name contains this
  --data DIRECTORY           keeps the databases there for the next run
  --profile                  writes CPU profiles of Terrane to dist/profiles
  --json                     prints the figures as JSON as well`;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sizes: { type: 'string', default: '1000,20000,200000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '0.3' },
    connections: { type: 'string', default: '16' },
    requests: { type: 'string', default: '100000' },
    agents: { type: 'string', default: '200' },
    jobs: { type: 'string', default: '1000' },
    'job-seconds': { type: 'string', default: '0' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    profile: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) console.log(usage);
else if (positionals[0] === 'hostile') await hostile();
else if (positionals[0] === 'agents') await agents();
else if (positionals[0] === 'writes') await writes();
else await bench();

async function bench(): Promise<void> {
  const databases = await openDatabases(sizesOf(options.sizes), options.data);
  const stops: (() => Promise<unknown>)[] = [databases.close];
  try {
    const variants: Variant[] = [];
    const allSamples: Samples[] = [];
    for (const database of databases.all) {
      const [terrane, baseline] = [
        await startTerrane(database, { profile: options.profile }),
        await startBaseline(database),
      ];
      stops.push(terrane.stop, baseline.stop);
      const samples = await sample(terrane, database);
      allSamples.push(samples);
      const workloads = readWorkloads(samples, database).filter(({ name }) => name.includes(options.only));
      variants.push({ name: 'Terrane', database, server: terrane, workloads });
      const answered = workloads.filter(({ hasBaseline }) => hasBaseline);
      variants.push({ name: 'baseline', database, server: baseline, workloads: answered });
      await requireEqualBytes(variants.at(-2)!, variants.at(-1)!);
    }
    await report(databases, variants, allSamples);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function hostile(): Promise<void> {
  const databases = await openDatabases(sizesOf(options.sizes).slice(0, 1), options.data);
  try {
    const limits = {
      rounds: Number(options.rounds),
      seconds: Math.max(1, Number(options.seconds)),
      only: options.only,
    };
    const found = await besideFloods(databases.all[0]!, limits);
    const cell = (milliseconds: number) => milliseconds.toFixed(2).padStart(8);
    console.log(`\n${'beside'.padEnd(40)}   quiet    flood   ratio       99 %    flood   ratio`);
    for (const { kind, quiet, beside, ratio } of found) {
      console.log(
        `${kind.padEnd(40)}${cell(quiet.median)} ${cell(beside.median)} ${cell(ratio.median)}   ` +
          `${cell(quiet.percentile99)} ${cell(beside.percentile99)} ${cell(ratio.percentile99)}`,
      );
    }
  } finally {
    await databases.close();
  }
}

async function agents(): Promise<void> {
  const databases = await openDatabases(sizesOf(options.sizes).slice(0, 1), options.data);
  try {
    const given = {
      agents: Number(options.agents),
      jobs: Number(options.jobs),
      jobSeconds: Number(options['job-seconds']),
      profile: options.profile,
    };
    const found = await besideAgents(databases.all[0]!, given);
    console.log(
      `\n${found.plans} plans and applies, ${given.agents} agents, ${given.jobSeconds} s of work in each job\n`,
    );
    console.log(
      `${found.jobsPerSecond.toFixed(1)} jobs a second, ${found.processor_ms.toFixed(1)} ms of the server each`,
    );
    console.log(`answers by status: ${JSON.stringify(found.statuses)}`);
    for (const name of ['quiet', 'beside', 'log', 'apply'] as const) {
      const { median, percentile99 } = found[name];
      console.log(`${name.padEnd(8)} median ${median.toFixed(1)} ms, 99 % ${percentile99.toFixed(1)} ms`);
    }
  } finally {
    await databases.close();
  }
}

async function writes(): Promise<void> {
  const databases = await openDatabases(sizesOf(options.sizes).slice(0, 1), options.data);
  try {
    const { rounds, connections, profile } = options;
    const seconds = Math.max(2, Number(options.seconds));
    const limits = { rounds: Number(rounds), connections: Number(connections), seconds, profile };
    const heads = ['Terrane', 'pgbench', 'ratio', 'server, µs', 'PostgreSQL, µs', 'under pgbench, µs'];
    console.log(`\n${'a second'.padEnd(10)}${heads.map(head => `   ${head}`).join('')}`);
    for (const found of await besidePgbench(databases.all[0]!, limits)) {
      const { terrane, pgbench, ratio, processor, database, databaseOfPgbench } = found;
      const cells = [terrane, pgbench, ratio, processor, database, databaseOfPgbench].map((value, at) =>
        value.toFixed(heads[at] === 'ratio' ? 2 : 0).padStart(heads[at]!.length + 3),
      );
      console.log(`${found.workload.padEnd(10)}${cells.join('')}`);
    }
  } finally {
    await databases.close();
  }
}

async function report({ all }: Databases, variants: readonly Variant[], samples: readonly Samples[]): Promise<void> {
  const limits = {
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    connections: Number(options.connections),
  };
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  console.log(
    `\n${cpus().length} processors (${cpus()[0]?.model.trim()}), ${gigabytes} GB, Node ${process.version}; the load, ` +
      `the server and PostgreSQL share them. ${limits.connections} connections, medians of ${limits.rounds} rounds.\n`,
  );
  const terranes = variants.filter(({ name }) => name === 'Terrane');
  const figures = await measure(variants, limits);
  const writers = terranes.map((variant, position) => ({
    ...variant,
    workloads: writeWorkloads(samples[position]!).filter(({ name }) => name.includes(options.only)),
  }));
  figures.push(...(await measure(writers, limits)));
  console.log(table(figures));
  const middle = Math.floor(terranes.length / 2);
  const everything = [...terranes[middle]!.workloads, ...writers[middle]!.workloads];
  if (everything.length === 0) throw new Error(`No workload has “${options.only}” in its name.`);
  const memory = await memoryUnderLoad(terranes[middle]!, everything, Number(options.requests));
  console.log(`\nMemory of the server at ${told(all[middle]!)} workspaces, in MB, by mixed requests:`);
  console.log(memory.map(({ requests, megabytes }) => `${requests}: ${megabytes.toFixed(0)}`).join('   '));
  console.log('\nBudgets:');
  for (const { name, value, budget, holds } of budgets(figures, memory)) {
    console.log(`  ${holds ? 'holds ' : 'BROKEN'}  ${name.padEnd(58)} ${value.padStart(8)}   (${budget})`);
  }
  if (options.json)
    console.log(
      JSON.stringify(
        figures.map(({ rounds, variant, ...rest }) => ({
          ...rest,
          variant: variant.name,
          size: told(variant.database),
        })),
      ),
    );
}

/** A baseline that answers anything else would be no baseline. */
async function requireEqualBytes(terrane: Variant, baseline: Variant): Promise<void> {
  for (const workload of baseline.workloads) {
    for (let count = 0; count < 100; count += 1) {
      const request = workload.next();
      const [expected, given] = await Promise.all([ask(terrane.server, request), ask(baseline.server, request)]);
      // A page of workspaces also says how many there are in each status, which the baseline is spared.
      expected.body = expected.body.replace(/,"status-counts":\{[^}]*\}/, '');
      if (expected.body === given.body && expected.status === 200) continue;
      const position = [...expected.body].findIndex((character, index) => character !== given.body[index]);
      const around = (text: string) => text.slice(Math.max(0, position - 80), position + 80);
      throw new Error(
        `${request.path}: Terrane and the baseline answer differently (${expected.status}, ${given.status}):\n` +
          `${around(expected.body)}\n${around(given.body)}`,
      );
    }
  }
}

async function memoryUnderLoad(
  { server }: Variant,
  workloads: Parameters<typeof mixed>[0],
  requests: number,
): Promise<MemorySample[]> {
  const next = mixed(workloads);
  const portions = 10;
  const samples: MemorySample[] = [{ requests: 0, megabytes: server.memory() }];
  for (let portion = 1; portion <= portions; portion += 1) {
    await load(server, next, { connections: 16, seconds: 600, requests: Math.ceil(requests / portions) });
    samples.push({ requests: Math.round((requests * portion) / portions), megabytes: server.memory() });
  }
  return samples;
}

function table(figures: readonly Figures[]): string {
  const header = ['', '', 'workspaces', 'requests/s', 'median ms', '99 % ms', 'alone ms', 'CPU µs'];
  const rows = figures.map(({ workload, variant, throughput, median, percentile99, alone, processor }) => [
    workload,
    variant.name,
    told(variant.database),
    Math.round(throughput).toLocaleString('en'),
    median.toFixed(2),
    percentile99.toFixed(2),
    alone.toFixed(2),
    processor.toFixed(0),
  ]);
  const widths = header.map((_name, column) => Math.max(...[header, ...rows].map(row => row[column]!.length)));
  const line = (row: string[]) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  ');
  return [header, ...rows].map(line).join('\n');
}
