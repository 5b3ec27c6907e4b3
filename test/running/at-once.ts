/** So many of `work` at once, until it has been done with each: what waits for PostgreSQL one by one need not. */
export async function withEach<One>(
  all: readonly One[],
  work: (one: One) => Promise<unknown>,
  atOnce = 8,
): Promise<void> {
  let next = 0;
  const some = async () => {
    while (next < all.length) {
      next += 1;
      await work(all[next - 1]!);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, some));
}
