/** Measures the variants of each workload one after the other, round by round, so that all of them share the same weather. */

import type { Database } from './databases.ts';
import { told } from './databases.ts';
import { load, type Measured } from './load.ts';
import type { Server } from './servers.ts';
import type { Workload } from './workloads.ts';

export interface Variant {
  name: 'Terrane' | 'baseline';
  database: Database;
  server: Server;
  workloads: readonly Workload[];
}

export interface Limits {
  rounds: number;
  /** Of one measurement at full load. */
  seconds: number;
  connections: number;
}

/** Medians over the rounds; latencies in milliseconds. */
export interface Figures {
  workload: string;
  variant: Variant;
  /** Requests a second with all connections busy, and the latency then. */
  throughput: number;
  median: number;
  percentile99: number;
  /** Latency of one request at a time: what the work itself takes. */
  alone: number;
  /** Processor time of the server alone, in microseconds a request; PostgreSQL is not in it. */
  processor: number;
  /** By round, for ratios within a round. */
  rounds: readonly Round[];
}

interface Round {
  busy: Measured;
  alone: number;
  processor: number;
}

export async function measure(variants: readonly Variant[], limits: Limits): Promise<Figures[]> {
  const names = [...new Set(variants.flatMap(({ workloads }) => workloads.map(({ name }) => name)))];
  const rounds = new Map<string, Round[]>();
  await warmUp(variants);
  for (let round = 0; round < limits.rounds; round += 1) {
    for (const name of names) {
      // Every second round goes backwards, so that no variant is always the first.
      for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
        const workload = variant.workloads.find(one => one.name === name);
        if (!workload) continue;
        const key = keyOf(name, variant);
        rounds.set(key, [...(rounds.get(key) ?? []), await measureOnce(variant, workload, limits)]);
      }
    }
  }
  return names.flatMap(name =>
    variants
      .filter(variant => rounds.has(keyOf(name, variant)))
      .map(variant => figuresOf(name, variant, rounds.get(keyOf(name, variant))!)),
  );
}

/**
 * Equally many requests for each server before anything is measured: one that is asked more kinds of requests would be
 * compiled better than the other (it made the baseline a third slower).
 */
async function warmUp(variants: readonly Variant[]): Promise<void> {
  for (const { server, workloads } of variants) {
    const chosen = workloads.filter(({ hasBaseline }) => hasBaseline);
    for (const { next } of chosen) await load(server, next, { connections: 16, seconds: 60, requests: 3000 });
  }
}

/** Twice as many as there are samples. */
const warmRequests = 1000;

const keyOf = (workload: string, { name, database }: Variant) => `${workload}/${name}/${told(database)}`;

async function measureOnce({ server }: Variant, { next, ...workload }: Workload, limits: Limits): Promise<Round> {
  const { seconds } = limits;
  const connections = Math.min(limits.connections, workload.connections ?? limits.connections);
  // Statements are prepared and code is compiled before the clock runs. What is compared with the baseline has read all
  // that it rotates through: what was measured in between has driven some of it out, and a short window would measure that.
  const warming = workload.hasBaseline ? { seconds: seconds * 5, requests: warmRequests } : { seconds: seconds / 5 };
  await load(server, next, { connections, ...warming });
  const before = server.processorTime();
  const busy = await load(server, next, { connections, seconds });
  const processor = ((server.processorTime() - before) / busy.requests) * 1_000_000;
  const single = await load(server, next, { connections: 1, seconds: seconds / 2 });
  return { busy, alone: percentile(single.latencies, 0.5), processor };
}

function figuresOf(workload: string, variant: Variant, rounds: readonly Round[]): Figures {
  return {
    workload,
    variant,
    rounds,
    throughput: median(rounds.map(({ busy }) => busy.requests / busy.seconds)),
    median: median(rounds.map(({ busy }) => percentile(busy.latencies, 0.5))),
    percentile99: median(rounds.map(({ busy }) => percentile(busy.latencies, 0.99))),
    alone: median(rounds.map(({ alone }) => alone)),
    processor: median(rounds.map(({ processor }) => processor)),
  };
}

/** The ratio of two figures, taken in every round for itself; its median. */
export function ratioOf(one: Figures, other: Figures, value: (round: Figures['rounds'][number]) => number): number {
  return median(one.rounds.map((round, position) => value(round) / value(other.rounds[position]!)));
}

export const throughputOf = ({ busy }: Figures['rounds'][number]) => busy.requests / busy.seconds;

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return percentile(
    values.toSorted((one, other) => one - other),
    0.5,
  );
}
