/**
 * One connection to PostgreSQL. The driver opens it: address, TLS, password. From then on statements are written as they
 * come, many in one write and without waiting for the answers of those before them; each is a transaction of its own.
 */
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { limits } from '../limits.ts';
import { addressOf, type Connection } from './connection.ts';
import { type Prepared, preparedStatements } from './prepared.ts';
import type { AnyRow, Composed, Rows } from './sql.ts';
import { messageReader, readCount, readFault, readFields, readRow } from './wire.ts';

/** What is between this process and PostgreSQL gave way: no fault of the statement. */
export class ConnectionError extends Error {
  readonly code = 'CONNECTION_LOST';
}

/** Who asks for statements: their queue is their own, and who has left needs no answers. */
export interface Asker {
  caller: string;
  hasLeft: boolean;
  /** How many were sent. */
  statements: number;
}

export interface SessionOptions {
  connection: Connection;
  /** Said after connecting and not at it, since poolers refuse what they do not know. */
  settings: Readonly<Record<string, string>>;
  /** Whether statements are named, and their plans kept. */
  isNaming: boolean;
  /** Whether each statement is a transaction, so that one which failed through no fault of its own is said again. */
  isRepeating: boolean;
  /** Ends the statement that the process of another session is at. */
  cancel: (processId: number) => Promise<unknown>;
  onClose: (fault: Error) => void;
}

/** A statement whose answer has not come whole. */
interface Sent {
  composed: Composed;
  asker: Asker;
  kind: 'named' | 'unnamed' | 'script';
  prepared: Prepared;
  isBinary: boolean;
  attempts: number;
  rows: AnyRow[];
  count: number;
  fault: Fault | undefined;
  resolve: (rows: Rows<AnyRow[]>) => void;
  reject: (fault: unknown) => void;
}

type Fault = Error & { code?: string | undefined; routine?: string | undefined };

const nobody: Asker = { caller: '', hasLeft: false, statements: 0 };
/** After a cancellation was sent, how long it may still hit another statement. */
const cancelReach_ms = 1000;
const goodbye_ms = 1000;
const attemptLimit = 3;

const letters = Object.fromEntries([...'123nTtDCEZIsSNAK'].map(letter => [letter, letter.charCodeAt(0)]));

export class Session {
  isClosed = false;
  /** Whether a statement on it was cancelled, so that the next one may be hit. */
  isCancelled = false;
  readonly #options: SessionOptions;
  readonly #client: pg.Client;
  readonly #prepared = preparedStatements();
  readonly #sent: Sent[] = [];
  #outgoing: Buffer[] = [];
  #stream: Duplex | undefined;
  #isFlushing = false;
  #processId = 0;
  #headSince_ms = 0;
  #cancelled: { one: Sent; at_ms: number } | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#client = new pg.Client({ ...addressOf(options.connection), ...clientSettings });
    // The end of the stream says all that there is to say.
    this.#client.on('error', () => undefined);
    this.#client.once('end', () => this.end(new ConnectionError('The connection ended.')));
    const settings = Object.entries(options.settings);
    const parts = settings.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, false)`);
    const text = `select ${['pg_backend_pid() as pid', ...parts].join(', ')}`;
    this.#ask('unnamed', { text, parameters: settings.flat() }, nobody).then(
      ([row]) => {
        this.#processId = row!['pid'];
      },
      (fault: Error) => this.end(fault),
    );
    this.#client.connect().then(
      () => this.#open(),
      (fault: Error) => this.end(fault),
    );
  }

  /** For how long the statement that is being answered has been; 0 while there is none. */
  headAge_ms(now_ms: number): number {
    return this.#sent.length === 0 ? 0 : now_ms - this.#headSince_ms;
  }

  send(composed: Composed, asker: Asker): Promise<Rows<AnyRow[]>> {
    if (composed.parameters.length > limits.parameters_items.value)
      return Promise.reject(new RangeError(`A statement has ${composed.parameters.length} parameters.`));
    const kind = this.#options.isNaming ? 'named' : 'unnamed';
    return this.#ask(composed.isScript ? 'script' : kind, composed, asker);
  }

  /** Ends the statement at hand where who asked for it has left. What ends a transaction is left to its end. */
  cancelAbandoned(now_ms: number): void {
    const head = this.#sent[0];
    if (!head?.asker.hasLeft || head.composed.text === 'commit' || this.#processId === 0) return;
    if (this.#cancelled?.one === head && now_ms - this.#cancelled.at_ms < cancelReach_ms) return;
    this.#cancelled = { one: head, at_ms: now_ms };
    this.isCancelled = true;
    this.#options.cancel(this.#processId).catch(() => undefined);
  }

  /** Says goodbye; what is under way is lost. */
  end(fault: Error = new ConnectionError('The connection was closed.')): void {
    if (this.isClosed) return;
    this.isClosed = true;
    if (this.#stream?.writable) this.#stream.end(serialize.end());
    else this.#client.end().catch(() => undefined);
    this.#goneBy(goodbye_ms);
    // The driver names no reason where a connection could not be made in time.
    const reason = 'code' in fault ? fault : new ConnectionError(fault.message);
    for (const one of this.#sent.splice(0)) one.reject(reason);
    this.#options.onClose(reason);
  }

  /** Resolves when the server's process has let go of the connection. */
  async gone(): Promise<void> {
    const { stream } = this.#client.connection;
    if (!stream.closed) await once(stream, 'close');
  }

  /** A server that does not answer does not say goodbye either. */
  #goneBy(limit_ms: number): void {
    const timer = setTimeout(() => this.#client.connection.stream.destroy(), limit_ms);
    this.gone().then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  }

  #ask(kind: Sent['kind'], composed: Composed, asker: Asker): Promise<Rows<AnyRow[]>> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new ConnectionError('The connection is closed.'));
      this.#send({ ...blankAnswer(), composed, asker, kind, prepared: this.#prepared.unnamed(), resolve, reject });
    });
  }

  #send(one: Sent): void {
    one.attempts += 1;
    const { composed, kind } = one;
    if (kind === 'script') this.#outgoing.push(serialize.query(composed.text));
    else {
      const { prepared, messages } = this.#prepared.take(kind === 'named', composed.text);
      one.prepared = prepared;
      one.isBinary = prepared.fields?.binary !== undefined;
      this.#outgoing.push(
        ...messages,
        serialize.bind({ statement: prepared.name, values: composed.parameters, binary: one.isBinary }),
        serialize.execute(),
        serialize.sync(),
      );
    }
    if (this.#sent.push(one) === 1) this.#headSince_ms = performance.now();
    this.#flushSoon();
  }

  /** What several requests ask in one turn of the loop travels in one write. */
  #flushSoon(): void {
    if (this.#isFlushing || !this.#stream) return;
    this.#isFlushing = true;
    setImmediate(() => {
      this.#isFlushing = false;
      const outgoing = this.#outgoing;
      this.#outgoing = [];
      if (!this.isClosed) this.#stream!.write(outgoing.length === 1 ? outgoing[0]! : Buffer.concat(outgoing));
    });
  }

  #open(): void {
    if (this.isClosed) return;
    const { stream } = this.#client.connection;
    this.#stream = stream;
    // The connection is made; what comes from now on answers our statements, and is read here.
    stream.removeAllListeners('data');
    const read = messageReader(this.#take);
    stream.on('data', (chunk: Buffer) => {
      // Whoever has lost the thread would give somebody the rows of somebody else.
      try {
        read(chunk);
      } catch (fault) {
        this.end(new ConnectionError(`What PostgreSQL said could not be read: ${(fault as Error).message}`));
      }
    });
    this.#flushSoon();
  }

  readonly #take = (letter: number, bytes: Buffer, from: number, to: number): void => {
    const head = this.#sent[0];
    // Said to nobody: that it shuts down, or ends this connection.
    if (!head) {
      if (letter === letters['E']) this.end(readFault(bytes, from, to));
      return;
    }
    switch (letter) {
      case letters['D']:
        this.#takeRow(head, bytes, from);
        break;
      case letters['C']:
        head.count = readCount(bytes, from, to);
        break;
      case letters['Z']:
        this.#finish(head, bytes[from] === idle);
        break;
      case letters['T']:
        head.rows = [];
        head.prepared.fields = readFields(bytes, from);
        break;
      case letters['n']:
        head.prepared.fields = readFields(noColumns, 0);
        break;
      case letters['E']:
        head.fault = readFault(bytes, from, to);
        break;
      default:
        // Copying is never asked for, and would wait for us.
        if (!Object.values(letters).includes(letter))
          this.end(new ConnectionError(`PostgreSQL said ${String.fromCharCode(letter)}, which nobody expected.`));
    }
  };

  #takeRow(head: Sent, bytes: Buffer, from: number): void {
    if (head.fault) return;
    try {
      head.rows.push(readRow(bytes, from, head.prepared.fields!, head.isBinary));
    } catch (fault) {
      head.fault = fault as Fault;
    }
  }

  #finish(head: Sent, isIdle: boolean): void {
    this.#sent.shift();
    this.#headSince_ms = performance.now();
    if (!head.fault) {
      head.resolve(Object.defineProperty(head.rows, 'count', { value: head.count }) as Rows<AnyRow[]>);
      return;
    }
    // Without a description it was not prepared either: what is said in a transaction that has failed is refused unread.
    const isUnknown = isForgotten(head.fault) || head.prepared.fields === null;
    if (head.kind === 'named' && isUnknown) this.#prepared.forget(head.composed.text, head.prepared);
    // Whatever else was prepared may be of a shape of before too, and a transaction would fail once for each.
    if (isForgotten(head.fault)) this.#prepared.forgetAll();
    if (isIdle && this.#options.isRepeating && this.#isInnocent(head))
      this.#send(Object.assign(head, { ...blankAnswer(), attempts: head.attempts }));
    else head.reject(head.fault);
  }

  /** Whether a statement failed by what befell its session, and did nothing. */
  #isInnocent({ fault, asker, attempts }: Sent): boolean {
    if (attempts >= attemptLimit || asker.hasLeft) return false;
    const isHit = fault!.code === '57014' && performance.now() - (this.#cancelled?.at_ms ?? -Infinity) < cancelReach_ms;
    return isHit || isForgotten(fault!);
  }
}

/** What PostgreSQL says of a session that is in no transaction. */
const idle = 'I'.charCodeAt(0);
const noColumns = Buffer.alloc(2);
const blankAnswer = () => ({ rows: [], count: 0, fault: undefined, isBinary: false, attempts: 0 });

/** The server does not have the statement of this name any more, or not in this form: a table was changed meanwhile. */
export const isForgotten = ({ code, routine }: Pick<Fault, 'code' | 'routine'>): boolean =>
  code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery');

const clientSettings = {
  application_name: 'terrane',
  connectionTimeoutMillis: limits.connecting_ms.value,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
};
