/** The log of a job on its way to the server: masked, in order, piece by piece, and never more than there is room for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Masker, masker } from './mask.ts';
import type { LogLength } from './protocol.ts';

const pause_ms = 300;
const largestPiece_bytes = 512 * 1024;
/** Past this, whoever writes has to wait. */
const room_bytes = 4 * 1024 * 1024;
/** Of the end of an output: the summary of an apply is in there. */
const tail_bytes = 64 * 1024;

export interface JobLog {
  write: (piece: Buffer | string) => void;
  /** Resolves when there is room for more. */
  room: () => Promise<void>;
  /** Resolves when everything has arrived. */
  close: () => Promise<void>;
}

/** Sends a piece that begins at the offset; resolves to what the server has by then. */
export type Send = (offset: number, piece: Buffer) => Promise<LogLength>;

export function jobLog(send: Send, secrets: readonly string[], limit_bytes: number): JobLog {
  const mask: Masker = masker(secrets);
  let [waiting, waiting_bytes, taken_bytes, offset]: [Buffer[], number, number, number] = [[], 0, 0, 0];
  let [isClosed, isFull] = [false, false];
  let fault: unknown;
  const notice = Buffer.from(`\n\nThe log has reached its limit of ${limit_bytes} bytes. What follows is left out.\n`);
  const take = (piece: Buffer) => {
    if (isFull || piece.length === 0) return;
    const left = limit_bytes - notice.length - taken_bytes;
    isFull = piece.length > left;
    const taken = isFull ? Buffer.concat([piece.subarray(0, Math.max(0, left)), notice]) : piece;
    waiting.push(taken);
    waiting_bytes += taken.length;
    taken_bytes += taken.length;
  };
  const nextPiece = () => {
    const all = Buffer.concat(waiting);
    const piece = all.subarray(0, largestPiece_bytes);
    waiting = piece.length < all.length ? [all.subarray(piece.length)] : [];
    return piece;
  };
  const ship = async () => {
    for (;;) {
      if (waiting.length === 0 && isClosed) return;
      if (waiting.length === 0) {
        await sleep(pause_ms);
        continue;
      }
      const piece = nextPiece();
      // A piece that came and whose answer did not is there already: the length says so.
      const { length } = await send(offset, piece);
      offset = length;
      waiting_bytes -= piece.length;
    }
  };
  const shipped = ship().catch(error => {
    // The job is over, or the server gone for good: nobody reads what follows.
    fault = error;
    [waiting, waiting_bytes, isFull] = [[], 0, true];
  });
  return {
    write: piece => take(mask.next(typeof piece === 'string' ? Buffer.from(piece) : piece)),
    room: async () => {
      while (waiting_bytes > room_bytes && fault === undefined) await sleep(pause_ms);
    },
    close: async () => {
      take(mask.end());
      isClosed = true;
      await shipped;
    },
  };
}

/** A log of which the end can be read again; `onward` is where it goes besides. */
export function remembering(onward: JobLog | null): { log: JobLog; text: () => string } {
  let end = Buffer.alloc(0);
  const write = (piece: Buffer | string) => {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    end = Buffer.concat([end, bytes]).subarray(-tail_bytes);
    onward?.write(bytes);
  };
  const nothing = async () => undefined;
  const log = { write, room: onward?.room ?? nothing, close: onward?.close ?? nothing };
  return { log, text: () => end.toString('utf8') };
}
