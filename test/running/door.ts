/** A way to something that listens, which can be shut, and which can lose an answer: faults of a network, for tests. */
import { connect, createServer, type ListenOptions, type Server, type Socket, type TcpNetConnectOpts } from 'node:net';

export type Place = TcpNetConnectOpts | { path: string };

export interface Door {
  /** Where it is, once it was opened. */
  port: number;
  /** Breaks every connection, and lets none in until `open`. */
  shut: () => Promise<void>;
  open: () => Promise<void>;
  /** The next answer that comes is not passed on: its connection breaks. Of HTTP: the next one to a request that begins so. */
  loseAnswer: (to?: RegExp) => void;
  /** Of HTTP: calls `act` at the next request that begins so, before that is passed on. */
  whenAsked: (to: RegExp, act: () => void) => void;
  /** Whether the answer that was to be lost has come. */
  hasLost: () => boolean;
}

const beginning = /^(GET|PUT|POST|PATCH|DELETE) /;

/** A door that is open. */
export async function openDoor(target: Place, at: ListenOptions): Promise<Door> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy()));
  let server: Server | undefined;
  let toLose: RegExp | null = null;
  let awaited: { to: RegExp; act: () => void } | null = null;
  const enter = (socket: Socket) => {
    const upstream = connect(target as TcpNetConnectOpts);
    keep(socket).add(upstream);
    keep(upstream);
    let asked = '';
    socket.on('data', piece => {
      if (!beginning.test(piece.toString('latin1', 0, 8))) return;
      asked = piece.toString('latin1');
      if (!awaited?.to.test(asked)) return;
      const { act } = awaited;
      awaited = null;
      act();
    });
    upstream.on('data', () => {
      if (!toLose?.test(asked)) return;
      toLose = null;
      upstream.unpipe(socket);
      socket.destroy();
    });
    socket.pipe(upstream).pipe(socket);
  };
  const door: Door = {
    port: 0,
    open: async () => {
      if (server?.listening) return;
      const own = createServer(enter);
      server = own;
      const place = 'path' in at ? at : { ...at, port: door.port || (at.port ?? 0) };
      await new Promise<void>(resolve => own.listen(place, resolve));
      const bound = own.address();
      if (bound !== null && typeof bound === 'object') door.port = bound.port;
    },
    shut: async () => {
      const closed = new Promise(resolve => (server ? server.close(resolve) : resolve(undefined)));
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
    loseAnswer: (to = /^/) => {
      toLose = to;
    },
    whenAsked: (to, act) => {
      awaited = { to, act };
    },
    hasLost: () => toLose === null,
  };
  await door.open();
  return door;
}
