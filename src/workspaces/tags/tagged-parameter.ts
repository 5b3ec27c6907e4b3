/** §4.3 the parameter `filter[tagged][i][key]` and `[value]` of lists of workspaces and of projects; each list makes SQL of it. */
import { Type } from 'typebox';
import { type Parameter, type RawQuery, single } from '../../core/jsonapi/query.ts';
import { limits } from '../../core/limits.ts';

export interface TagFilter {
  key: string;
  /** Undefined matches any value. */
  value: string | undefined;
}

const member = /^filter\[tagged\]\[(\d{1,6})\]\[(key|value)\]$/;
const most = limits.queryList_items.value;

/** Filters by their index, to be joined by AND, each once. */
export const tagFilters: Parameter<readonly TagFilter[]> = {
  description: 'Bindings in effect, by index: all must match. An empty or absent value matches any',
  schema: Type.Object(
    {},
    { additionalProperties: Type.Object({ key: Type.String(), value: Type.Optional(Type.String()) }) },
  ),
  isDeep: true,
  read: (query, name, refuse) => {
    const filters = filtersIn(query);
    if (filters.size > most)
      refuse(name, `At most ${most} tag filters can be combined; this one combines ${filters.size}.`);
    for (const [index, { key }] of filters) {
      if (!key) refuse(`${name}[${index}][key]`, `${name}[${index}][key] is needed for its value.`);
    }
    const given = [...filters.values()].map(({ key, value }) => ({ key: key!, value: value || undefined }));
    return [...new Map(given.map(filter => [JSON.stringify(filter), filter])).values()];
  },
};

function filtersIn(query: RawQuery): Map<string, { key?: string; value?: string }> {
  const filters = new Map<string, { key?: string; value?: string }>();
  for (const parameter of Object.keys(query)) {
    const [, index, part] = member.exec(parameter) ?? [];
    if (index === undefined || part === undefined) continue;
    filters.set(index, { ...filters.get(index), [part]: single(query, parameter) ?? '' });
  }
  return filters;
}
