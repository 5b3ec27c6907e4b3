/** Pages of searches that are kept: as many as there is room for, and each for a while. */
import { expect, test } from 'vitest';
import { useLimits } from '../../../test/limits.ts';
import { limits } from '../limits.ts';
import { keepPages } from './kept-pages.ts';
import { tag } from './sql.ts';

useLimits({ keptPages_bytes: 20_000, keptPages_ms: 300 });

const sql = tag(async () => Object.assign([], { count: 0 }));
const found = {
  counts: { total: 100 },
  ids: Array.from({ length: 100 }, (_, at) => `ws-${at}`),
  offset: 0,
  snapshot: '1',
  bytes: 4800,
};
const searchOf = (pages: ReturnType<typeof keepPages>, name: string) => pages.of(sql`select ${name}`);
const keep = (pages: ReturnType<typeof keepPages>, name: string) =>
  searchOf(pages, name).search(
    async () => found,
    page => page,
  );

test('of more pages than there is room for, those are kept that were used last', async () => {
  const pages = keepPages();
  const names = Array.from({ length: 20 }, (_, at) => `search ${at}`);
  for (const name of names) await keep(pages, name);
  const left = names.filter(name => searchOf(pages, name).page());
  expect(left.length).toBeGreaterThan(0);
  expect(left.length * 48 * found.ids.length).toBeLessThan(limits.keptPages_bytes.value);
  expect(left).toEqual(names.slice(-left.length));
});

test('a page that nobody asked about for its time is found anew', async () => {
  const pages = keepPages();
  await keep(pages, 'search');
  expect(searchOf(pages, 'search').page()).toBe(found);
  await expect
    .poll(() => searchOf(pages, 'search').page(), { timeout: 20 * limits.keptPages_ms.value })
    .toBeUndefined();
});
