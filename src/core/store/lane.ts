/**
 * A few connections for statements of one kind. What waits for them waits in a queue for each caller, and the callers
 * take turns: one who asks for much waits for itself. Every wait has an end.
 */
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import { type Asker, ConnectionError, Session, type SessionOptions } from './session.ts';

export interface LaneOptions extends Omit<SessionOptions, 'onClose'> {
  /** The most connections. */
  size: number;
  /** How many at once use a connection: more than one only where each says a single statement. */
  depth: number;
  /** How much of the connections one caller may use, so that there is one for another caller at any time. */
  share: number;
  /** How long a statement may take before the connection is taken for dead; null for any time. */
  patience_ms: number | null;
}

/** Uses a session until it resolves. */
type Work<Result> = (session: Session) => Promise<Result>;

interface Waiting {
  since_ms: number;
  asker: Asker;
  start: (session: Session) => void;
  refuse: (fault: Error) => void;
}

/** How a lane is used, since the process began or at this moment. */
export interface LaneFigures {
  /** The most connections, and those that are open. */
  size: number;
  connections: number;
  underWay: number;
  waiting: number;
  statements: number;
  /** What was done: a statement, or a whole transaction. */
  works: number;
  worked_ms: number;
  /** Of the works, those that had to wait for a connection. */
  waits: number;
  waited_ms: number;
  /** Who waited for too long, or came when too many waited. */
  refusals: number;
}

/** A statement under way for this long may stay for long: others do not queue behind it. */
const stalled_ms = 20;
const drainLimit_ms = 5000;

export class Lane {
  readonly #options: LaneOptions;
  /** How many use each session. */
  readonly #sessions = new Map<Session, number>();
  /** On which sessions each caller has how much under way; who has nothing is not in it. */
  readonly #underWay = new Map<string, Map<Session, number>>();
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  /** How many sessions one caller may use. */
  readonly #mostOfOne: number;
  readonly #done = { statements: 0, works: 0, worked_ms: 0, waits: 0, waited_ms: 0, refusals: 0 };
  #whenIdle: (() => void) | undefined;
  #isClosed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#mostOfOne = Math.max(1, Math.floor(options.size * options.share));
  }

  async run<Result>(asker: Asker, work: Work<Result>): Promise<Result> {
    if (this.#isClosed) throw new ConnectionError('The store is closed.');
    // Who asks may become known by another name meanwhile.
    const { caller } = asker;
    const session = this.#takeNow(caller) ?? (await this.#wait(asker));
    const begun_ms = performance.now();
    try {
      return await work(session);
    } finally {
      this.#done.works += 1;
      this.#done.worked_ms += performance.now() - begun_ms;
      this.#giveBack(session, caller);
    }
  }

  /** Notes a statement that is about to be sent. */
  count(asker: Asker): void {
    asker.statements += 1;
    this.#done.statements += 1;
  }

  figures(): LaneFigures {
    let underWay = 0;
    for (const users of this.#sessions.values()) underWay += users;
    const { size } = this.#options;
    return { ...this.#done, size, connections: this.#sessions.size, underWay, waiting: this.#waitingCount };
  }

  /** Called a few times a second: ends what has waited for too long, or whose caller has left. */
  watch(): void {
    const now_ms = performance.now();
    for (const session of this.#sessions.keys()) {
      session.cancelAbandoned(now_ms);
      const { patience_ms } = this.#options;
      if (patience_ms !== null && session.headAge_ms(now_ms) > patience_ms)
        session.end(new ConnectionError('PostgreSQL has not answered.'));
    }
    const latest_ms = now_ms - limits.connectionWait_ms.value;
    // Nobody reads the answer of who has left; the others may ask again.
    this.#refuse(
      ({ asker, since_ms }) => asker.hasLeft || since_ms < latest_ms,
      () => new ApiError('server-busy'),
    );
    this.#next();
  }

  /** Takes no more work, and ends the connections when what is under way is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuse(
      () => true,
      () => new ConnectionError('The store is closed.'),
    );
    if (this.#underWay.size > 0) {
      const idle = new Promise<void>(resolve => {
        this.#whenIdle = resolve;
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, drainLimit_ms);
      });
      await Promise.race([idle, late]);
      clearTimeout(timer);
    }
    const sessions = [...this.#sessions.keys()];
    for (const session of sessions) session.end();
    // Their goodbyes have an end of their own.
    await Promise.allSettled(sessions.map(session => session.gone()));
  }

  #takeNow(caller: string): Session | undefined {
    const session = this.#waitingCount === 0 ? this.#free(caller) : undefined;
    if (session) this.#occupy(session, caller);
    return session;
  }

  #occupy(session: Session, caller: string): void {
    this.#sessions.set(session, this.#sessions.get(session)! + 1);
    const own = this.#underWay.get(caller) ?? new Map<Session, number>();
    own.set(session, (own.get(session) ?? 0) + 1);
    this.#underWay.set(caller, own);
  }

  #giveBack(session: Session, caller: string): void {
    const own = this.#underWay.get(caller)!;
    const left = own.get(session)! - 1;
    if (left > 0) own.set(session, left);
    else own.delete(session);
    if (own.size === 0) this.#underWay.delete(caller);
    if (!session.isClosed) this.#sessions.set(session, this.#sessions.get(session)! - 1);
    // A cancellation on its way could hit a part of the next transaction, which cannot be said again.
    if (session.isCancelled && !this.#options.isRepeating) session.end();
    if (this.#underWay.size === 0) this.#whenIdle?.();
    this.#next();
  }

  /** The session with the least to do, or a new one where that has much; of one caller's own, where it has its share. */
  #free(caller: string): Session | undefined {
    const { depth, size } = this.#options;
    const now_ms = performance.now();
    const own = this.#underWay.get(caller);
    const mayTakeMore = (own?.size ?? 0) < this.#mostOfOne;
    let best: Session | undefined;
    let least = depth;
    for (const [session, users] of this.#sessions) {
      if (users >= least || (users > 0 && session.headAge_ms(now_ms) > stalled_ms)) continue;
      if (mayTakeMore || own!.has(session)) [best, least] = [session, users];
    }
    if (!mayTakeMore || this.#sessions.size >= size || (best && least < depth / 4)) return best;
    return this.#open();
  }

  #open(): Session {
    const session: Session = new Session({
      ...this.#options,
      onClose: fault => {
        this.#sessions.delete(session);
        // Where no connection is left, none can be made: nobody waits for nothing.
        if (this.#sessions.size === 0)
          this.#refuse(
            () => true,
            () => fault,
          );
      },
    });
    this.#sessions.set(session, 0);
    return session;
  }

  #wait(asker: Asker): Promise<Session> {
    if (this.#waitingCount >= limits.connectionWaits_items.value) {
      this.#done.refusals += 1;
      return Promise.reject(new ApiError('server-busy'));
    }
    return new Promise((start, refuse) => {
      const queue = this.#waiting.get(asker.caller);
      const one: Waiting = { since_ms: performance.now(), asker, start, refuse };
      if (queue) queue.push(one);
      else this.#waiting.set(asker.caller, [one]);
      this.#waitingCount += 1;
      // Those before it may wait for their own share, and there be room for this one.
      this.#next();
    });
  }

  /** Lets those start for whom there is room, one of each caller in turn. */
  #next(): void {
    // A caller that is put at the end is met again, as long as there is room.
    for (const [caller, queue] of this.#waiting) {
      if (!this.#hasRoom()) return;
      const session = this.#free(caller);
      if (!session) continue;
      const one = queue.shift()!;
      // Behind the others, where more of this caller's are waiting.
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      this.#waitingCount -= 1;
      this.#done.waits += 1;
      this.#done.waited_ms += performance.now() - one.since_ms;
      this.#occupy(session, caller);
      one.start(session);
    }
  }

  #hasRoom(): boolean {
    const { depth, size } = this.#options;
    const now_ms = performance.now();
    if (this.#sessions.size < size) return true;
    for (const [session, users] of this.#sessions)
      if (users === 0 || (users < depth && session.headAge_ms(now_ms) <= stalled_ms)) return true;
    return false;
  }

  #refuse(isMeant: (one: Waiting) => boolean, fault: () => Error): void {
    if (this.#waitingCount === 0) return;
    for (const [caller, queue] of [...this.#waiting]) {
      const left = queue.filter(one => !isMeant(one));
      for (const one of queue) if (isMeant(one)) one.refuse(fault());
      this.#waitingCount -= queue.length - left.length;
      this.#done.refusals += queue.length - left.length;
      if (left.length > 0) this.#waiting.set(caller, left);
      else this.#waiting.delete(caller);
    }
  }
}
