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
  }));
  const timer = setInterval(() => {
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
  return {
    ask: (...asked): Promise<Outcome> => {
      const ready = behind.filter(({ isReady }) => isReady);
      turn += 1;
      const chosen = ready[turn % ready.length];
      // Nobody is ready: that is a failure as well, and a program that takes servers away one by one never means it.
      if (!chosen) return Promise.resolve(nobody());
      return chosen.client.ask(...asked);
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
