/**
 * What one caller may ask of the thread that answers everybody. Whoever asks alone has all of it, and whoever waits for one
 * answer before it asks for the next one keeps its own pace. Many at once, while others ask too, are begun one after the
 * other: their sender waits behind itself, and not everybody. How fast, the thread says: faster as long as it has time to
 * spare, slower when it has not, and never slower than the answers would travel over a good line.
 */
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { limits } from '../core/limits.ts';

export interface Pace {
  /** How long a request is to wait before it is begun, in ms. `underWay` counts those of its caller, this one among them. */
  begin: (caller: string, underWay: number, now_ms?: number) => number;
  /** Counts an answer, once it is sent. */
  end: (caller: string, bytes: number) => void;
}

/** So many at once are no flood: browsers load a page so. */
const few = 4;
/** What a request takes beside its bytes. */
const request_bytes = 128 * 1024;
/** Who came no longer ago than this asks, too. */
const together_ms = 1000;
/** The part of its time that the thread may be busy before those who ask for many at once have to slow down. */
const busy = 0.6;
/** How often the pace is set anew, by how much it slows down and quickens, and how many times the slowest it may be. */
const [look_ms, slower, faster, fastest] = [50, 0.6, 1.25, 64];
/** What a caller may have in advance of its pace, and how long a request waits at the most. */
const [ahead_ms, wait_ms] = [100, 1000];

/** @param load the part of the time since it was last asked in which the thread was busy, 0 to 1 */
export function pace(load = threadLoad()): Pace {
  /** The time at which each caller, asking at its pace, would have come as far as it has. */
  const even = new LRUCache<string, number>({ max: limits.rememberedCallers_items.value });
  /** Who asked last, and when somebody else last did. */
  let [latest, latest_ms, other_ms] = ['', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  /** How many times the slowest pace everybody's is. */
  let [quickness, looked_ms] = [1, Number.NEGATIVE_INFINITY];
  const look = (now_ms: number) => {
    if (now_ms - looked_ms < look_ms) return;
    looked_ms = now_ms;
    quickness = load() > busy ? Math.max(1, quickness * slower) : Math.min(fastest, quickness * faster);
  };
  const isAlone = (caller: string, now_ms: number) => {
    if (latest !== caller) [latest, other_ms] = [caller, latest_ms];
    latest_ms = now_ms;
    return now_ms - other_ms > together_ms;
  };
  const add = (caller: string, from_ms: number, bytes: number) => {
    even.set(caller, from_ms + (bytes / (limits.callerAnswers_bytes.value * quickness)) * 1000);
  };
  return {
    begin: (caller, underWay, now_ms = performance.now()) => {
      look(now_ms);
      const isFree = isAlone(caller, now_ms) || underWay <= few;
      // However much somebody had while alone: nobody waits for longer than that.
      const due_ms = Math.min(Math.max(even.get(caller) ?? 0, now_ms), now_ms + ahead_ms + wait_ms);
      add(caller, due_ms, request_bytes);
      return isFree ? 0 : Math.max(0, due_ms - now_ms - ahead_ms);
    },
    end: (caller, bytes) => add(caller, even.get(caller) ?? 0, bytes),
  };
}

function threadLoad(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}
