/** A way between two machines that takes its time: what is on it when either end is gone is lost, as on a real one. */
import { connect, createServer, type Socket } from 'node:net';
import { atExit } from './processes.ts';

export interface Link {
  /** Lets nothing more through, either way, until it is told to; connections stay. */
  hold: () => void;
  release: () => void;
}

/** From `port` to `target`; what `target` answers arrives `delay_ms` later. */
export async function openLink(port: number, target: number, delay_ms: number): Promise<Link> {
  let isHeld = false;
  const sockets = new Set<Socket>();
  /** Passes on what has waited for long enough, unless the way is closed. */
  const later = (to: Socket, chunk: Buffer, wait_ms: number) => {
    const pass = () => {
      if (to.destroyed) return;
      if (isHeld) setTimeout(pass, 10);
      else to.write(chunk);
    };
    setTimeout(pass, wait_ms);
  };
  const server = createServer(near => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      one.on('data', chunk => later(other, chunk, one === far ? delay_ms : 0));
      one.on('error', () => one.destroy());
      // Whoever is gone takes with it what it had said a moment ago.
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
  atExit(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
    },
  };
}
