/** One of several processes that are one server: it serves at their common port, and ends with the first one. */
import { loadConfig } from '../../core/config.ts';
import { openStore } from '../../core/store/store.ts';
import { type FromWorker, questions, type Start, type ToWorker } from './messages.ts';
import { type App, type Closers, logOf, startProcess } from './process.ts';
import type { StopSignal } from './stop-signal.ts';

const figuresWait_ms = 5000;

export async function serveAsWorker(): Promise<void> {
  const closers: Closers = [];
  const heard = listenToFirst();
  const { connection, ...rest } = await heard.start;
  // Its warnings were printed by the first process.
  const config = Object.freeze({ ...loadConfig().config, ...rest });
  const { connections, keptWorkspaces: keptRows, keptMib } = config;
  try {
    const store = openStore(connection, { connections, keptRows, keptMib });
    closers.push(store.close);
    const log = logOf(config);
    const app = await startProcess({ config, store, log, stop: heard.stop, closers, role: 'worker' });
    if (!app) return;
    heard.tell(app);
    say({ kind: 'listening' });
    await heard.stop.requested;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

// Where the first process is gone, this one is ending anyway.
const say = (message: FromWorker) => void (process.connected && process.send!(message, () => undefined));

function listenToFirst() {
  const waiting = questions<string>(figuresWait_ms);
  let app: App | undefined;
  let first: NodeJS.Signals | undefined;
  let isRequested = false;
  let [begin, request] = [(_start: Start) => {}, () => {}];
  const start = new Promise<Start>(resolve => {
    begin = resolve;
  });
  const requested = new Promise<void>(resolve => {
    request = resolve;
  });
  const ask = (signal: NodeJS.Signals | undefined) => {
    if (!isRequested) first = signal;
    isRequested = true;
    request();
  };
  process.on('message', (message: ToWorker) => {
    if (message.kind === 'start') begin(message.start);
    else if (message.kind === 'stop') ask(message.signal);
    else if (message.kind === 'all-figures') waiting.answer(message.question, message.text);
    else if (message.kind === 'tell-figures') {
      const { question } = message;
      // Without an answer the question ends by itself, and this process is left out.
      app?.metrics?.own().then(
        figures => say({ kind: 'figures', question, figures }),
        () => undefined,
      );
    }
  });
  say({ kind: 'ready' });
  // A Ctrl-C reaches every process of a terminal: the first one says when to stop.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', () => ask('SIGTERM'));
  const stop: StopSignal = { requested, isRequested: () => isRequested, signal: () => first };
  /** Whoever reads figures at this process is told those of all. */
  const tell = (made: App) => {
    app = made;
    if (made.metrics)
      made.metrics.text = async () => (await waiting.ask(question => say({ kind: 'ask-all-figures', question }))) ?? '';
  };
  return { start, stop, tell };
}
