/** So many of `work` at once, until it has been done `count` times. */
export async function atOnce(
  workers: number,
  count: number,
  work: (turn: number, worker: number) => Promise<void>,
): Promise<void> {
  let turn = 0;
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (turn < count) {
        turn += 1;
        await work(turn - 1, worker);
      }
    }),
  );
}

/** The same with each of these: what waits for PostgreSQL one by one need not. */
export const withEach = <One>(all: readonly One[], work: (one: One) => Promise<unknown>, workers = 8): Promise<void> =>
  atOnce(workers, all.length, async turn => void (await work(all[turn]!)));
