/** Work that is done again and again while a program runs, never twice at once. */

export interface RepeatLog {
  warn: (details: object, message: string) => void;
}

/** Waits before each time. The returned function ends it, and resolves behind the last time. */
export function repeat(
  interval_ms: number,
  work: () => Promise<unknown>,
  log: RepeatLog,
  failure: string,
): () => Promise<void> {
  let isStopped = false;
  let underWay: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout;
  const next = () => {
    timer = setTimeout(() => {
      underWay = work()
        .catch(fault => log.warn({ err: fault }, failure))
        .finally(() => {
          if (!isStopped) next();
        });
    }, interval_ms);
    timer.unref();
  };
  next();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await underWay;
  };
}
