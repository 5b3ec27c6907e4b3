/** The first process of a server with workers: it has the database, the signals and the port, and keeps workers alive. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '../../core/config.ts';
import type { Connection } from '../../core/store/store.ts';
import { outliveFaults } from '../../core/unexpected.ts';
import { type OwnFigures, together } from '../../http/metrics/metrics.ts';
import { CommandError } from '../command-error.ts';
import { closeWhatIsNotTaken } from './handed-over.ts';
import { type FromWorker, questions, type ToWorker } from './messages.ts';
import { type Beginning, finishLimit_ms, listening, openMetrics } from './process.ts';

const firstPause_ms = 100;
const longestPause_ms = 10_000;
/** Whoever lived so long did not die of how it began. */
const sound_ms = 60_000;
const figuresWait_ms = 3000;
const spare_ms = 5000;
/** Of the embedded PostgreSQL, which leaves some to commands. */
const embeddedConnections = 190;

/** Starts as many as the configuration says, and waits until each listens. Returns the port; null where it was asked to stop. */
export async function startWorkers(beginning: Beginning, connection: Connection): Promise<number | null> {
  const { config, log, stop, closers } = beginning;
  requireConnections(config);
  const port = await freePort(config);
  cluster.setupPrimary({ exec: process.argv[1]!, args: ['serve'] });
  const crew = crewOf(beginning, connection, port);
  const metrics = config.metricsPort === undefined ? null : { contentType: textType, text: crew.figures };
  closers.push(await openMetrics(metrics, config, log));
  closers.push(() => crew.end(stop.signal()));
  const all = Promise.all(Array.from({ length: config.workers }, () => crew.add()));
  const listen = await Promise.race([all, stop.requested]);
  if (!listen) return null;
  outliveFaults(log);
  if (listen.every(isListening => isListening)) return port;
  throw new CommandError('A worker (TERRANE_WORKERS) could not begin to serve; it has said why.');
}

/** All of them listen at one port. Throws where it is taken, before any of them tries. */
async function freePort(config: Config): Promise<number> {
  const server = createServer();
  await listening(() => once(server.listen(config.port, config.host), 'listening'), config);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface Member {
  worker: Worker;
  /** Whether it listens; not where it ended before. */
  listening: Promise<boolean>;
}

/** The workers that there are. One that ends unasked is started again, later and later where that happens again and again. */
function crewOf({ config, log }: Beginning, connection: Connection, port: number) {
  const all = new Set<Worker>();
  const { ask, answer } = questions<OwnFigures>(figuresWait_ms);
  let pause_ms = firstPause_ms;
  let isEnding = false;
  const figures = async () => {
    const asked = [...all].map(worker => ask(question => tell(worker, { kind: 'tell-figures', question })));
    return together((await Promise.all(asked)).filter(one => one !== null));
  };
  const hear = (worker: Worker, message: FromWorker) => {
    if (message.kind === 'figures') answer(message.question, message.figures);
    if (message.kind !== 'ask-all-figures') return;
    const { question } = message;
    figures().then(
      text => tell(worker, { kind: 'all-figures', question, text }),
      fault => log.warn({ err: fault }, 'the figures of the workers could not be put together'),
    );
  };
  const add = () => {
    const { worker, listening } = begin(connection, config, port);
    const started_ms = Date.now();
    all.add(worker);
    worker.on('message', message => hear(worker, message));
    whenGone(worker, (code, signal) => {
      all.delete(worker);
      if (isEnding) return;
      pause_ms = Date.now() - started_ms > sound_ms ? firstPause_ms : Math.min(pause_ms * 2, longestPause_ms);
      log.error({ worker: worker.process.pid, code, signal, pause_ms }, 'a worker has ended, and is started again');
      setTimeout(() => isEnding || void add(), pause_ms).unref();
    });
    return listening;
  };
  const end = async (signal: NodeJS.Signals | undefined) => {
    isEnding = true;
    await Promise.all([...all].map(worker => leave(worker, signal, config)));
  };
  return { add, figures, end };
}

function begin(connection: Connection, { tokenPepper, encryptionKey }: Config, port: number): Member {
  const worker = cluster.fork();
  closeWhatIsNotTaken(worker);
  // Both are there, whoever keeps them.
  const keys = { tokenPepper: tokenPepper!, encryptionKey: encryptionKey! };
  const listening = new Promise<boolean>(resolve => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') tell(worker, { kind: 'start', start: { connection, port, ...keys } });
      if (message.kind === 'listening') resolve(true);
    });
    whenGone(worker, () => resolve(false));
  });
  return { worker, listening };
}

/** A process that could not be made does not exit; a pipe that nobody reads any more is no reason for this one to fail. */
function whenGone(worker: Worker, then: (code: number | null, signal: string | null) => void): void {
  worker.once('exit', then);
  worker.on('error', () => worker.process.pid === undefined && then(null, null));
}

const tell = (worker: Worker, message: ToWorker) =>
  void (worker.isConnected() && worker.send(message, () => undefined));

/** Asks it to finish; where it does not in its time, ends it. */
async function leave(worker: Worker, signal: NodeJS.Signals | undefined, { drainSeconds }: Config): Promise<void> {
  if (worker.isDead()) return;
  const gone = once(worker, 'exit');
  tell(worker, { kind: 'stop', signal });
  const late = setTimeout(() => worker.process.kill('SIGKILL'), drainSeconds * 1000 + finishLimit_ms + spare_ms);
  await gone;
  clearTimeout(late);
}

const textType = 'text/plain; version=0.0.4; charset=utf-8';

function requireConnections({ databaseUrl, workers, connections }: Config): void {
  const needed = workers * (2 * connections + 2);
  if (databaseUrl || needed <= embeddedConnections) return;
  throw new CommandError(
    `${workers} workers (TERRANE_WORKERS) of up to ${2 * connections + 2} connections each (TERRANE_CONNECTIONS) are more than ` +
      `the ${embeddedConnections} that the embedded PostgreSQL takes: lower one of them.`,
  );
}
