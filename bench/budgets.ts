/** The promises about speed, as ratios within one run: only these can be compared between machines. */
import { type Database, told } from './databases.ts';
import { type Figures, ratioOf, throughputOf } from './measure.ts';

export interface MemorySample {
  requests: number;
  megabytes: number;
}

export interface Verdict {
  name: string;
  value: string;
  budget: string;
  holds: boolean;
}

const memoryLimit_mb = 250;
/** More than this from the first half of the requests to the second is growth and not noise. */
const flatness = 1.15;
const latencyGrowth = 2;
const againstBaseline: Record<string, number> = { 'show by id': 1, 'list of 20': 1, 'team show': 1, 'team list': 1 };

export function budgets(figures: readonly Figures[], memory: readonly MemorySample[]): Verdict[] {
  return [
    ...throughputBudgets(figures),
    ...growthBudgets(figures),
    ...memberBudgets(figures),
    ...memoryBudgets(memory),
  ];
}

function throughputBudgets(figures: readonly Figures[]): Verdict[] {
  return figures
    .filter(({ variant }) => variant.name === 'baseline')
    .flatMap(baseline => {
      const { workload, variant } = baseline;
      const terrane = figures.find(
        one => one.workload === workload && one.variant.name === 'Terrane' && one.variant.database === variant.database,
      );
      const least = againstBaseline[workload];
      if (!terrane || least === undefined) return [];
      const ratio = ratioOf(terrane, baseline, throughputOf);
      const name = `${workload} against the baseline, ${told(variant.database)} workspaces`;
      const processor = (baseline.processor / terrane.processor).toFixed(2);
      const budget = `at least ${least}; by processor time of the server alone ${processor}`;
      return [{ name, value: ratio.toFixed(2), budget, holds: ratio >= least }];
    });
}

function growthBudgets(figures: readonly Figures[]): Verdict[] {
  const ofTerrane = figures.filter(({ variant }) => variant.name === 'Terrane');
  const ascending = ofTerrane.map(({ variant }) => variant.database).toSorted((one, other) => all(one) - all(other));
  const [smallest, largest] = [ascending[0], ascending.at(-1)];
  if (!smallest || !largest || smallest === largest) return [];
  return ofTerrane
    .filter(({ variant, workload }) => {
      const isScaled = variant.workloads.some(one => one.name === workload && one.isScaled);
      return isScaled && variant.database === largest;
    })
    .flatMap(large => {
      const small = ofTerrane.find(one => one.workload === large.workload && one.variant.database === smallest);
      if (!small) return [];
      const ratio = ratioOf(large, small, ({ alone }) => alone);
      const name = `${large.workload}, latency at ${told(largest)} against ${told(smallest)}`;
      return [{ name, value: ratio.toFixed(2), budget: `at most ${latencyGrowth}`, holds: ratio <= latencyGrowth }];
    });
}

/** Workspaces of all its organizations. */
const all = ({ size, organizations }: Database) => size * organizations;

/** What somebody who sees a part waits for, against who sees everything. */
function memberBudgets(figures: readonly Figures[]): Verdict[] {
  return figures.flatMap(member => {
    const { variant, workload } = member;
    const against = variant.workloads.find(({ name }) => name === workload)?.against;
    const owner = figures.find(one => one.workload === against && one.variant === variant);
    if (!owner) return [];
    const ratio = ratioOf(member, owner, ({ alone }) => alone);
    const name = `${workload}, against the owner, ${told(variant.database)}`;
    return [{ name, value: ratio.toFixed(2), budget: `at most ${latencyGrowth}`, holds: ratio <= latencyGrowth }];
  });
}

function memoryBudgets(memory: readonly MemorySample[]): Verdict[] {
  const largest = Math.max(...memory.map(({ megabytes }) => megabytes));
  // Medians of the two halves: a single sample stands anywhere between two collections of garbage.
  const half = Math.ceil(memory.length / 2);
  const growth = middle(memory.slice(half)) / middle(memory.slice(1, half));
  return [
    {
      name: `memory after ${memory.at(-1)!.requests.toLocaleString('en')} mixed requests`,
      value: `${largest.toFixed(0)} MB`,
      budget: `at most ${memoryLimit_mb} MB`,
      holds: largest <= memoryLimit_mb,
    },
    {
      name: 'memory in their second half against the first',
      value: growth.toFixed(2),
      budget: `at most ${flatness}`,
      holds: growth <= flatness,
    },
  ];
}

function middle(samples: readonly MemorySample[]): number {
  const ascending = samples.map(({ megabytes }) => megabytes).toSorted((one, other) => one - other);
  return ascending[Math.floor(ascending.length / 2)]!;
}
