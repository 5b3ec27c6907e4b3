/** A few values that are the same for a while, each under the name of what it belongs to. */
import { LRUCache } from 'lru-cache';

export interface Remembered<Value> {
  get: (key: string) => Value | undefined;
  set: (key: string, value: Value) => void;
}

/** Each for `time_ms` from when it was first set; not longer by being used. */
export function remembered<Value>(time_ms: number): Remembered<Value> {
  const kept = new LRUCache<string, { value: Value }>({ max: 100, ttl: time_ms });
  return {
    get: key => kept.get(key)?.value,
    set: (key, value) => void kept.set(key, { value }, { noUpdateTTL: kept.has(key) }),
  };
}
