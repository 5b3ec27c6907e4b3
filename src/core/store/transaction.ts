/** Transactions: each has a connection of its own while it lasts, and is tried again where PostgreSQL asks for it. */
import type { Kept } from './kept.ts';
import type { Lane } from './lane.ts';
import { type Asker, isForgotten, type Session } from './session.ts';
import { type Composed, type Sql, tag } from './sql.ts';

export interface Door {
  lane: Lane;
  asker: Asker;
  onStatement: ((text: string) => void) | undefined;
  /** Takes the rows that a change read for its answer: whoever asks next finds them there. */
  kept: Kept;
}

const attemptLimit = 5;

export async function transaction<T>(door: Door, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await door.lane.run(door.asker, session => attemptOn(session, door, work));
    } catch (error) {
      if (attempt >= attemptLimit || door.asker.hasLeft || !isRetryable(error)) throw error;
      await new Promise(resolve => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
    }
  }
}

async function attemptOn<T>(
  session: Session,
  { lane, asker, onStatement, kept }: Door,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  let isOver = false;
  let fault: unknown;
  const send = (composed: Composed) => {
    // Whoever goes on after a fault would write outside of the transaction.
    if (isOver) return Promise.reject(new Error('A statement came after the end of its transaction.'));
    onStatement?.(composed.text);
    lane.count(asker);
    const sent = session.send(composed, asker);
    sent.catch(reason => {
      fault ??= reason;
    });
    return sent;
  };
  // Not waited for: it travels with the first statement. Where it fails, that one fails too.
  void send({ text: 'begin', parameters: [] });
  try {
    const later: (() => void)[] = [];
    const known: Sql['known'] = {
      find: kept.find,
      keep: (...row) => void later.push(() => kept.keep(...row)),
      show: (...row) => void later.push(() => kept.show(...row)),
    };
    const result = await work(tag(send, { known }));
    // PostgreSQL would answer a commit after a fault by rolling back, without a word.
    if (fault) throw fault;
    const committed = send({ text: 'commit', parameters: [] });
    isOver = true;
    await committed;
    // A statement that nobody waited for has failed, and the commit was a rollback.
    if (fault) throw fault;
    for (const note of later) note();
    return result;
  } catch (error) {
    if (!isOver) {
      const ended = send({ text: 'rollback', parameters: [] });
      isOver = true;
      // A transaction that cannot be ended is left to the end of its connection.
      await ended.catch(fault => session.end(fault));
    }
    throw fault && isOfStore(error) ? fault : error;
  }
}

/** What PostgreSQL says after a statement for which nobody waited has failed: that one says why. */
const isOfStore = (error: unknown) => typeof (error as { code?: unknown } | null)?.code === 'string';

/** Conflicts with other transactions, and tables that a migration changed under what was prepared for them. */
function isRetryable(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string };
  return code === '40001' || code === '40P01' || isForgotten({ code, routine });
}
