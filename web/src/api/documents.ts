/** What documents of JSON:API have in common: included records, pages, all pages of a list. */
import type { Resource, ResourceType } from './client.ts';

export type Included = { id: string; type: string };
type Linked = { data?: { id: string; type: string } | null } | undefined;

const indexes = new WeakMap<object, Map<string, Included>>();

/** The included record that a relationship names; undefined when it was not asked for, is null, or may not be seen. */
export function included<T extends ResourceType>(
  document: { included?: readonly object[] },
  link: Linked,
  _type: T,
): Resource<T> | undefined {
  const identifier = link?.data;
  if (!identifier || !document.included) return undefined;
  let index = indexes.get(document);
  if (!index) {
    const records = document.included as Included[];
    index = new Map(records.map(record => [`${record.type} ${record.id}`, record]));
    indexes.set(document, index);
  }
  return index.get(`${identifier.type} ${identifier.id}`) as Resource<T> | undefined;
}

export interface Pagination {
  'current-page': number;
  'page-size': number;
  'next-page'?: number | null;
  /** How many there are; left out of lists that nobody counts to the end, such as the runs of an organization. */
  'total-pages'?: number;
  'total-count'?: number;
}

type Page<T> = { data: T[]; meta?: { pagination?: Pagination } };

/** Every record of a list, page by page, up to a bound that the caller names. */
export async function everyPage<T>(read: (page: number) => Promise<Page<T>>, most = 1000): Promise<T[]> {
  const records: T[] = [];
  for (let page = 1; records.length < most; page += 1) {
    const { data, meta } = await read(page);
    records.push(...data);
    if (page >= (meta?.pagination?.['total-pages'] ?? 1)) break;
  }
  return records.slice(0, most);
}
