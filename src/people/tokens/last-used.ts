/** `last-used-at` of tokens: gathered in memory and written in one statement every few seconds, outside of requests. */
import type { Store } from '../../core/store/store.ts';

export interface LastUsed {
  note: (tokenId: string) => void;
  flush: () => Promise<void>;
}

/** A crash loses at most the last interval of use times; nothing else depends on them. */
export function lastUsed(store: Store): LastUsed {
  const used = new Map<string, number>();
  return {
    note: tokenId => void used.set(tokenId, Date.now()),
    flush: async () => {
      if (used.size === 0) return;
      const before = [...used];
      const uses = before.map(([id, at]) => ({ id, at: new Date(at).toISOString() }));
      used.clear();
      try {
        await store.search`
          update tokens set last_used_at = greatest(tokens.last_used_at, uses.at::timestamptz)
          from jsonb_to_recordset(${store.search.json(uses)}) as uses (id text, at text)
          where tokens.id = uses.id`;
      } catch (fault) {
        for (const [id, at] of before) if (!used.has(id)) used.set(id, at);
        throw fault;
      }
    },
  };
}
