/** §4.3 `filter[tagged][i][key]` and `[value]`: read from a query, for lists of workspaces and of projects. */
import { ApiError } from '../../core/errors.ts';
import { type RawQuery, single } from '../../core/jsonapi/page.ts';

export interface TagFilter {
  key: string;
  /** Undefined matches any value. */
  value: string | undefined;
}

const tagFilterLimit = 50;

/** The filters by their index, to be joined by AND. Throws `invalid-parameter` for a value without its key. */
export function readTagFilters(query: RawQuery): TagFilter[] {
  const filters = new Map<string, { key?: string; value?: string }>();
  for (const parameter of Object.keys(query)) {
    const [, index, member] = /^filter\[tagged\]\[(\d{1,6})\]\[(key|value)\]$/.exec(parameter) ?? [];
    if (index === undefined || member === undefined) continue;
    filters.set(index, { ...filters.get(index), [member]: single(query, parameter) ?? '' });
  }
  if (filters.size > tagFilterLimit) {
    const reason = `At most ${tagFilterLimit} tag filters can be combined.`;
    throw new ApiError('invalid-parameter', { reason }, { parameter: 'filter[tagged]' });
  }
  return [...filters].map(([index, { key, value }]) => {
    if (key) return { key, value: value || undefined };
    const parameter = `filter[tagged][${index}][key]`;
    throw new ApiError('invalid-parameter', { reason: `${parameter} is needed for its value.` }, { parameter });
  });
}
