/** Pages (§1): 20 records when nothing is said, 100 at most; past the end is an empty page with the true total. */
import { Type } from 'typebox';
import { ApiError } from '../errors.ts';
import { integer, nullable, text } from './fields.ts';

export const pageSizeDefault = 20;
export const pageSizeLimit = 100;
const pageNumberLimit = 2 ** 31 - 1;

export interface Page {
  /** From 1. */
  number: number;
  size: number;
  offset: number;
  /** Whether the caller asked for pages: some lists answer whole otherwise. */
  isGiven: boolean;
}

export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The last one wins when a parameter is repeated. */
export function single(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  return Array.isArray(value) ? value.at(-1) : value;
}

/** @param sizes what a page holds when nothing is said, and at most */
export function readPage(query: RawQuery, sizes = { usual: pageSizeDefault, limit: pageSizeLimit }): Page {
  const number = whole(query, 'page[number]');
  const size = whole(query, 'page[size]');
  const shown = Math.min(size ?? sizes.usual, sizes.limit);
  return {
    number: number ?? 1,
    size: shown,
    offset: ((number ?? 1) - 1) * shown,
    isGiven: number !== undefined || size !== undefined,
  };
}

function whole(query: RawQuery, parameter: string): number | undefined {
  const raw = single(query, parameter);
  if (raw === undefined || raw === '') return undefined;
  const value = /^\d{1,20}$/.test(raw) ? Number(raw) : Number.NaN;
  if (value >= 1 && value <= pageNumberLimit) return value;
  const reason = `${parameter} must be a whole number from 1 to ${pageNumberLimit}.`;
  throw new ApiError('invalid-parameter', { reason }, { parameter });
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
