/** Which workspaces are chosen, by id, with the name that acts and reports say. */
import { useState } from 'react';

export interface Selection {
  chosen: ReadonlyMap<string, string>;
  has: (id: string) => boolean;
  set: (entries: readonly (readonly [string, string])[], isChosen: boolean) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  return {
    chosen,
    has: id => chosen.has(id),
    set: (entries, isChosen) =>
      setChosen(before => {
        const next = new Map(before);
        for (const [id, name] of entries) {
          if (isChosen) next.set(id, name);
          else next.delete(id);
        }
        return next;
      }),
    clear: () => setChosen(new Map()),
  };
}
