/** When tokens and sessions were last used: gathered in memory and written in one statement every few seconds, outside of requests. */
import type { Store } from '../../core/store/store.ts';

export interface LastUsed {
  note: (id: string) => void;
  flush: () => Promise<void>;
}

/** A crash loses at most the last interval of use times; nothing else depends on them. */
export function lastUsed(store: Store): LastUsed {
  /** By the id of what was shown, which says by its prefix what that is. */
  const used = new Map<string, number>();
  return {
    note: id => void used.set(id, Date.now()),
    flush: async () => {
      if (used.size === 0) return;
      const before = [...used];
      const uses = before.map(([id, at]) => ({ id, at: new Date(at).toISOString() }));
      used.clear();
      try {
        await store.search`
          with uses as (
            select uses.id, uses.at::timestamptz as at
            from jsonb_to_recordset(${store.search.json(uses)}) as uses (id text, at text)
          ), of_sessions as (
            update sessions set last_used_at = greatest(sessions.last_used_at, uses.at)
            from uses where sessions.id = uses.id
          )
          update tokens set last_used_at = greatest(tokens.last_used_at, uses.at)
          from uses where tokens.id = uses.id`;
      } catch (fault) {
        for (const [id, at] of before) if (!used.has(id)) used.set(id, at);
        throw fault;
      }
    },
  };
}
