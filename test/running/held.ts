/** A transaction that a test holds open while it looks at what others do. */
import type { Sql, Store } from '../../src/core/store/store.ts';

export interface Held {
  sql: Sql;
  /** Commits, and resolves when that is done. */
  release: () => Promise<void>;
}

export function holdTransaction(store: Store): Promise<Held> {
  return new Promise((resolve, reject) => {
    const done = store.transaction(
      sql =>
        new Promise<void>(release => {
          resolve({
            sql,
            release: () => {
              release();
              return done;
            },
          });
        }),
    );
    done.catch(reject);
  });
}
