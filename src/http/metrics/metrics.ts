/** The figures of a server in the form that Prometheus reads. Nothing here is counted where nobody asked for metrics. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { limits } from '../../core/limits.ts';
import type { Store } from '../../core/store/store.ts';
import { type DatabaseFigure, databaseFigures } from '../../organizations/site/figures.ts';
import { operationOf } from './operation.ts';
import { type ServerFigure, serverFigures } from './server-figures.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Null where the configuration asks for none. */
    metrics: Metrics | null;
  }
}

export interface Metrics {
  contentType: string;
  /**
   * All figures as they are now. Throws nothing where the database does not answer: what it would say is left out.
   * Where several processes are one server, it is replaced by what tells of all of them.
   */
  text: () => Promise<string>;
  /** The same of this process alone, to be added to those of others. */
  own: () => Promise<OwnFigures>;
  countUnexpected: () => void;
}

export type OwnFigures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** What the processes of a server say of themselves, as one text. */
export const together = (all: OwnFigures[]): Promise<string> => AggregatorRegistry.aggregate(all).metrics();

/** From a kept row to the longest search that is let go on. */
const buckets_s = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is counted of requests; the others are gathered when somebody asks. */
export const requestFigures = {
  requests: {
    name: 'requests_total',
    meaning: 'Requests that were answered, by operation and status',
    alarm: 'a share of `5xx` over 0.01; `429` or `503` of one operation that grow',
    labels: ['operation', 'status'],
  },
  durations: {
    name: 'request_duration_seconds',
    meaning: 'How long they took, as a histogram, by operation',
    alarm: 'a 99th percentile of shows over 0.25',
    labels: ['operation'],
  },
  statements: {
    name: 'request_statements_total',
    meaning: 'Statements that requests sent to the database, by operation',
    alarm: 'nothing; by the requests, it says what an operation costs',
    labels: ['operation'],
  },
  underWay: {
    name: 'requests_under_way',
    meaning: 'Requests that are being answered',
    alarm: `near ${limits.requests_items.value.toLocaleString('en')}, where the server refuses more`,
  },
  unexpected: {
    name: 'unexpected_faults_total',
    meaning: 'Faults of the program itself that nothing waited for',
    alarm: 'any: the log has a line at level 60 with its stack, which is worth a report',
  },
  unread: {
    name: 'figures_missing',
    meaning: 'Figures of the database that could not be read just now',
    alarm: 'above 0 for minutes: the database does not answer, or lacks a right',
  },
} as const;

export const prefix = 'terrane_';

/** Counts the requests of the app from now on. */
export function measureRequests(app: FastifyInstance, store: Store): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  count(app, registry);
  for (const figure of serverFigures) addServerFigure(figure, store, registry);
  const database = databaseGauges(store, registry);
  const unexpected = new Counter(described(requestFigures.unexpected, [registry]));
  return {
    contentType: registry.contentType,
    countUnexpected: () => unexpected.inc(),
    text: async () => {
      await database();
      return registry.metrics();
    },
    own: async () => {
      await database();
      return registry.getMetricsAsJSON();
    },
  };
}

function count(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const { requests, durations, statements, underWay } = requestFigures;
  const made = {
    counted: new Counter(described(requests, registers)),
    open: new Gauge(described(underWay, registers)),
  };
  const timed = new Histogram({ ...described(durations, registers), buckets: buckets_s });
  const asked = new Counter(described(statements, registers));
  app.addHook('onRequest', async (_request, reply) => {
    made.open.inc();
    reply.raw.once('close', () => made.open.dec());
  });
  app.addHook('onResponse', async (request: FastifyRequest, reply: FastifyReply) => {
    const operation = operationOf(request);
    made.counted.inc({ operation, status: reply.statusCode });
    timed.observe({ operation }, reply.elapsedTime / 1000);
    if (request.asker) asked.inc({ operation }, request.asker.statements);
  });
}

interface Described {
  name: string;
  meaning: string;
  labels?: readonly string[];
}

const described = ({ name, meaning, labels = [] }: Described, registers: Registry[]) => ({
  name: `${prefix}${name}`,
  help: meaning,
  labelNames: [...labels],
  registers,
});

function addServerFigure(figure: ServerFigure, store: Store, registry: Registry): void {
  const { read, kind } = figure;
  const options = described(figure, [registry]);
  if (kind === 'gauge') {
    new Gauge({
      ...options,
      collect() {
        this.reset();
        for (const { value, ...labels } of read(store.figures())) this.set(labels, value);
      },
    });
    return;
  }
  new Counter({
    ...options,
    collect() {
      this.reset();
      for (const { value, ...labels } of read(store.figures())) this.inc(labels, value);
    },
  });
}

/** Returns what reads them anew; where somebody read them a moment ago, it waits for that and reads nothing. */
function databaseGauges(store: Store, registry: Registry): () => Promise<void> {
  // Of several processes each asks the same database: what the first one heard is the figure.
  const ofOne = { aggregator: 'first' } as const;
  const gauges = databaseFigures.map(figure => ({
    figure,
    gauge: new Gauge({ ...described(figure, [registry]), ...ofOne }),
  }));
  const missing = new Gauge({ ...described(requestFigures.unread, [registry]), ...ofOne });
  let reading = { since_ms: Number.NEGATIVE_INFINITY, done: Promise.resolve() };
  const read = async () => {
    const fresh = await Promise.all(gauges.map(({ figure }) => readFigure(figure, store)));
    missing.set(fresh.filter(rows => rows === null).length);
    gauges.forEach(({ figure, gauge }, at) => {
      gauge.reset();
      // Reset, one without labels would say 0, which is not what is meant by nothing.
      if (!figure.labels) gauge.remove();
      for (const { value, ...labels } of fresh[at] ?? []) gauge.set(labels as Record<string, string>, Number(value));
    });
  };
  return () => {
    const now_ms = performance.now();
    if (now_ms - reading.since_ms > limits.keptFigures_ms.value) reading = { since_ms: now_ms, done: read() };
    return reading.done;
  };
}

/** Null where the database does not say it in time. */
async function readFigure({ read }: DatabaseFigure, store: Store) {
  try {
    return (await read(store.watch)).filter(({ value }) => value !== null);
  } catch {
    return null;
  }
}
