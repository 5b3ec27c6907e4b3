/** What asks a server to stop. */

// `npm start` passes a Ctrl-C on to us that the terminal has sent us already: that is still the first one.
const sameSignal_ms = 500;
const parentInterval_ms = 200;

export type StopSignal = {
  requested: Promise<void>;
  isRequested: () => boolean;
  /** The first one; none where the parent has ended. */
  signal: () => NodeJS.Signals | undefined;
};

export function stopSignal(endWithParent: boolean): StopSignal {
  let first_ms: number | undefined;
  let first: NodeJS.Signals | undefined;
  const requested = new Promise<void>(resolve => {
    const request = () => {
      first_ms ??= Date.now();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (first_ms !== undefined && Date.now() - first_ms > sameSignal_ms) process.exit(1);
        first ??= signal;
        request();
      });
    }
    const parent = process.ppid;
    const watch = () => process.ppid !== parent && request();
    if (endWithParent) setInterval(watch, parentInterval_ms).unref();
  });
  return { requested, isRequested: () => first_ms !== undefined, signal: () => first };
}
