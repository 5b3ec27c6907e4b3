/** What a program has started is ended with it, in the reverse order, whichever way it ends. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const closers: (() => Promise<unknown> | unknown)[] = [];

export function atExit(close: () => Promise<unknown> | unknown): void {
  closers.push(close);
}

let ending: Promise<void> = Promise.resolve();

/** Whoever calls while it is under way waits for the same end: a signal, and the program that it broke off. */
export function endEverything(): Promise<void> {
  const due = closers.splice(0).reverse();
  ending = ending.then(async () => {
    for (const close of due) await close();
  });
  return ending;
}

const [firstPort, lastPort] = (process.env['RELIABILITY_PORTS'] ?? '9600-9649').split('-').map(Number);
let nextPort = firstPort!;

/** One that nobody listens on now, of those that `RELIABILITY_PORTS` names: servers come back on the port that they had. */
export async function freePort(): Promise<number> {
  while (nextPort <= lastPort!) {
    const server = createServer();
    const port = nextPort;
    nextPort += 1;
    const isFree = await new Promise<boolean>(resolve => {
      server.once('listening', () => resolve(true)).once('error', () => resolve(false));
      server.listen(port, '127.0.0.1');
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`No port of ${firstPort} to ${lastPort} is free.`);
}
