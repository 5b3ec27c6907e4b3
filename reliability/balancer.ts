/** A balancer as small as it can be: it asks each server twice a second whether it is ready, and sends to those that are. */
import { type Client, type Outcome, openClient } from './client.ts';
import { adminToken, type Server } from './server.ts';

export interface Balancer {
  ask: Client['ask'];
  isReady: (server: Server) => boolean;
  /** When it took which server for ready, or not, and why. */
  history: () => string;
  close: () => void;
}

const interval_ms = 500;
const checkLimit_ms = 2000;
/** Fewer than a server lets one caller have. */
const mostUnderWay = 32;

const nobody = (): Outcome => ({
  status: 0,
  headers: {},
  document: undefined,
  fault: 'nobody ready',
  begun_ms: performance.now(),
  milliseconds: 0,
});

export function balance(servers: readonly Server[]): Balancer {
  const behind = servers.map(server => ({
    server,
    client: openClient({ port: server.port, token: adminToken }),
    checks: openClient({ port: server.port, token: adminToken, limit_ms: checkLimit_ms }),
    isReady: true,
    underWay: 0,
  }));
  const timer = setInterval(() => {
    next();
    for (const one of behind)
      void one.checks.ask('GET', '/readyz').then(({ status, fault }) => {
        // A check that is late says nothing: both servers share this machine with the load.
        if (fault === 'late' || one.isReady === (status === 200)) return;
        one.isReady = status === 200;
        history.push(`${(performance.now() / 1000).toFixed(1)} s: ${one.server.port} ${fault ?? status}`);
      });
  }, interval_ms);
  const history: string[] = [];
  let turn = 0;
  /** What waits here goes to whichever server has room first, and not to one that has gone meanwhile. */
  const waiting: (() => void)[] = [];
  const place = () => {
    const open = behind.filter(({ isReady, underWay }) => isReady && underWay < mostUnderWay);
    turn += 1;
    return open[turn % open.length];
  };
  const next = () => {
    if (place()) waiting.shift()?.();
  };
  return {
    ask: async (...asked): Promise<Outcome> => {
      let chosen = place();
      while (!chosen) {
        if (!behind.some(({ isReady }) => isReady)) return nobody();
        await new Promise<void>(resolve => waiting.push(resolve));
        chosen = place();
      }
      chosen.underWay += 1;
      const outcome = await chosen.client.ask(...asked);
      chosen.underWay -= 1;
      next();
      return outcome;
    },
    isReady: server => behind.find(one => one.server === server)!.isReady,
    history: () => history.join(', '),
    close: () => {
      clearInterval(timer);
      for (const { client, checks } of behind) {
        client.close();
        checks.close();
      }
    },
  };
}
