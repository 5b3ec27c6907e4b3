/** Does the work for every item, at most `limit` at a time; the first fault ends it. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  let hasFailed = false;
  const worker = async () => {
    for (const [position, item] of queue) {
      if (hasFailed) return;
      results[position] = await work(item).catch(error => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
}
