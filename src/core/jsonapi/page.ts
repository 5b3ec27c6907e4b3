/** Pages (§1): 20 records when nothing is said, 100 at most; past the end is an empty page with the true total. */
import { Type } from 'typebox';
import { limits } from '../limits.ts';
import { integer, nullable, text } from './fields.ts';
import { type Parameters, type RawQuery, wholeNumber } from './query.ts';

/** What a page holds when nothing is said, and at most. */
export interface PageSize {
  usual: number;
  most: number;
}

export const pageSize: PageSize = { usual: 20, most: 100 };

/** What an answer says of its pages; one that is no collection says nothing. */
interface Paged {
  pages?: 'always' | 'when-asked' | 'never' | 'uncounted';
  pageSize?: PageSize;
}
const pageNumberLimit = 2 ** 31 - 1;

export interface Page {
  /** From 1. */
  number: number;
  size: number;
  offset: number;
  /** Whether the caller asked for pages: some lists answer whole otherwise. */
  isGiven: boolean;
}

/** The parameters that an answer of this shape takes besides its endpoint's own. */
export function pageParameters({ pages, pageSize: own }: Paged): Parameters {
  if (pages === undefined || pages === 'never') return {};
  const { usual, most } = own ?? pageSize;
  const size = wholeNumber(`Records on a page. Sizes over ${most} answer ${most}`, 1, pageNumberLimit);
  return {
    'page[number]': wholeNumber('The page, from 1', 1, pageNumberLimit),
    'page[size]': { ...size, schema: Type.Integer({ minimum: 1, default: usual }) },
  };
}

/** @param query as it was read with `pageParameters` */
export function pageFrom(query: Readonly<Record<string, unknown>>, { pages, pageSize: own }: Paged): Page {
  const number = query['page[number]'] as number | undefined;
  const asked = query['page[size]'] as number | undefined;
  const isGiven = number !== undefined || asked !== undefined;
  const { usual, most } = own ?? pageSize;
  const isWhole = pages === 'when-asked' && !isGiven;
  const size = isWhole ? limits.wholeList_items.value : Math.min(asked ?? usual, most);
  return { number: number ?? 1, size, offset: ((number ?? 1) - 1) * size, isGiven };
}

/** `links` and `meta.pagination` as JSON members, for the page of `total` records under `address` (absolute). */
export function pageMembers(page: Page, total: number, address: string, query: RawQuery, meta: object): string {
  const last = Math.max(1, Math.ceil(total / page.size));
  const previous = page.number > 1 ? Math.min(page.number - 1, last) : null;
  const next = page.number < last ? page.number + 1 : null;
  const link = (number: number | null) => (number === null ? null : pageLink(address, query, number, page.size));
  const links = {
    self: link(page.number),
    first: link(1),
    prev: link(previous),
    next: link(next),
    last: link(last),
  };
  const pagination = {
    'current-page': page.number,
    'page-size': page.size,
    'prev-page': previous,
    'next-page': next,
    'total-pages': last,
    'total-count': total,
  };
  return `"links":${JSON.stringify(links)},"meta":${JSON.stringify({ pagination, ...meta })}`;
}

/** As `pageMembers`, of a list that nobody counts: the totals and the last page are not known. */
export function uncountedPageMembers(page: Page, hasMore: boolean, address: string, query: RawQuery): string {
  const previous = page.number > 1 ? page.number - 1 : null;
  const next = hasMore ? page.number + 1 : null;
  const link = (number: number | null) => (number === null ? null : pageLink(address, query, number, page.size));
  const links = { self: link(page.number), first: link(1), prev: link(previous), next: link(next) };
  const pagination = {
    'current-page': page.number,
    'page-size': page.size,
    'prev-page': previous,
    'next-page': next,
  };
  return `"links":${JSON.stringify(links)},"meta":${JSON.stringify({ pagination })}`;
}

function pageLink(address: string, query: RawQuery, number: number, size: number): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name === 'page[number]' || name === 'page[size]') continue;
    for (const one of Array.isArray(value) ? value : [value ?? '']) parameters.append(name, one);
  }
  parameters.append('page[number]', String(number));
  parameters.append('page[size]', String(size));
  return `${address}?${parameters}`;
}

const uncountedLinks = { self: text, first: text, prev: nullable(text), next: nullable(text) };
const uncountedPagination = {
  'current-page': integer,
  'page-size': integer,
  'prev-page': nullable(integer),
  'next-page': nullable(integer),
};

export const pageSchemas = {
  links: Type.Object({ ...uncountedLinks, last: text }),
  pagination: Type.Object({ ...uncountedPagination, 'total-pages': integer, 'total-count': integer }),
};

/** Of lists that nobody counts. */
export const uncountedPageSchemas = {
  links: Type.Object(uncountedLinks),
  pagination: Type.Object(uncountedPagination),
};
