/**
 * Faults of the program itself that nothing waits for: thrown out of a callback, or of a promise that nobody watches. They
 * are told, and the process goes on (docs/decisions/unexpected-faults.md).
 */

export interface UnexpectedLog {
  fatal: (details: object, message: string) => void;
}

/** From now on, for as long as the process lives. `count` is called for each. */
export function outliveFaults(log: UnexpectedLog, count: () => void = () => undefined): void {
  const tell = (origin: string) => (err: unknown) => {
    count();
    log.fatal({ err, origin }, 'a fault that nothing waited for: the process goes on');
  };
  process.on('uncaughtException', tell('callback'));
  process.on('unhandledRejection', tell('promise'));
}
