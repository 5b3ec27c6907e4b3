/**
 * How a server goes: clients are told to close their connections, and only those that nobody used meanwhile are closed by it.
 * A request that is sent while its connection is being closed would be lost, and nobody could say whether it was done.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborted as soon as the server begins to go: what waits or follows comes to an end. */
    going: AbortSignal;
    /** Ends when no connection is left, and after the time at the latest. New ones are taken meanwhile, and told as well. */
    drain: (limit_ms: number) => Promise<void>;
    /** Finishes what is under way, within the time, and closes. */
    finish: (limit_ms: number) => Promise<void>;
  }
}

const interval_ms = 20;
/** Balancers ask about once a second whether to send more: until then somebody may come. */
const quiet_ms = 1000;

export function drainAtEnd(app: FastifyInstance): void {
  const going = new AbortController();
  const underWay = new Set<ServerResponse>();
  let connections = 0;
  let lastSeen_ms = Number.NEGATIVE_INFINITY;
  const tell = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('connection', 'close');
  };
  app.decorate('going', going.signal);
  app.addHook('preClose', async () => going.abort());
  app.server.on('connection', socket => {
    connections += 1;
    socket.once('close', () => {
      connections -= 1;
      lastSeen_ms = Date.now();
    });
  });
  // Before the handler, which may answer at once.
  app.server.prependListener('request', (_request, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    if (going.signal.aborted) tell(response);
  });
  app.decorate('drain', async limit_ms => {
    going.abort();
    underWay.forEach(tell);
    const isQuiet = () => connections === 0 && Date.now() - lastSeen_ms > quiet_ms;
    for (const end_ms = Date.now() + limit_ms; !isQuiet() && Date.now() < end_ms; ) await sleep(interval_ms);
  });
  app.decorate('finish', async limit_ms => {
    const closed = app.close();
    // Counted here: an open connection without a request would hold the server for ever.
    for (const end_ms = Date.now() + limit_ms; underWay.size > 0 && Date.now() < end_ms; ) await sleep(interval_ms);
    app.server.closeAllConnections();
    await closed;
  });
}
