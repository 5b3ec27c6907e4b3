/** What the list shows is said by its address: filters, sort and page. Defaults are left out, bad values dropped. */
import { type StatusGroup, statusGroups } from './status.tsx';

export const sorts = [
  'name',
  '-name',
  'latest-change-at',
  '-latest-change-at',
  'current-run.created-at',
  '-current-run.created-at',
] as const;
export type Sort = (typeof sorts)[number];
export const sizes = [20, 50, 100] as const;

export interface ListAddress {
  q?: string;
  status?: StatusGroup[];
  project?: string;
  tag?: string[];
  '-tag'?: string[];
  lock?: 'locked' | 'open';
  mode?: 'remote' | 'local' | 'agent';
  sort?: Sort;
  page?: number;
  size?: number;
  /** What the address named and this screen does not know. */
  dropped?: string[];
}

const locks: readonly unknown[] = ['locked', 'open'];
const modes: readonly unknown[] = ['remote', 'local', 'agent'];
export const defaultSort: Sort = '-latest-change-at';
const mostTags = 20;

export function readAddress(search: Record<string, unknown>): ListAddress {
  const address: ListAddress = {};
  const dropped: string[] = [];
  const words = (value: unknown) => (Array.isArray(value) ? value : [value]).map(String).filter(Boolean);
  const split = (value: unknown) => words(value).flatMap(word => word.split(','));
  for (const [key, value] of Object.entries(search)) {
    if (key === 'q') address.q = words(value).join(' ').slice(0, 200);
    else if (key === 'project') address.project = words(value)[0] ?? '';
    else if (key === 'tag' || key === '-tag') address[key] = [...new Set(split(value))].slice(0, mostTags);
    else if (key === 'lock' && locks.includes(value)) address.lock = value as 'locked';
    else if (key === 'mode' && modes.includes(value)) address.mode = value as 'remote';
    else if (key === 'status') {
      const known = split(value).filter(word => statusGroups.includes(word as StatusGroup));
      if (known.length > 0) address.status = [...new Set(known)] as StatusGroup[];
      dropped.push(...split(value).filter(word => !known.includes(word)));
    } else if (key === 'sort' && sorts.includes(value as Sort)) address.sort = value as Sort;
    else if (key === 'page' && Number(value) > 1) address.page = Math.floor(Number(value));
    else if (key === 'size' && sizes.includes(Number(value) as 20)) address.size = Number(value);
    else if (!['page', 'dropped'].includes(key)) dropped.push(`${key}: ${String(value)}`);
  }
  if (dropped.length > 0) address.dropped = dropped;
  return tidy(address);
}

/** Without what is empty or the default. */
export function tidy(address: ListAddress): ListAddress {
  const entries = Object.entries(address).filter(([key, value]) => {
    if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return false;
    return (
      !(key === 'sort' && value === defaultSort) &&
      !(key === 'page' && value === 1) &&
      !(key === 'size' && value === 20)
    );
  });
  return Object.fromEntries(entries) as ListAddress;
}

export interface Chip {
  key: 'project' | 'tag' | '-tag' | 'lock' | 'mode';
  value: string;
}

export function chipsOf({ project, tag = [], '-tag': without = [], lock, mode }: ListAddress): Chip[] {
  return [
    ...(project ? [{ key: 'project' as const, value: project }] : []),
    ...tag.map(value => ({ key: 'tag' as const, value })),
    ...without.map(value => ({ key: '-tag' as const, value })),
    ...(lock ? [{ key: 'lock' as const, value: lock }] : []),
    ...(mode ? [{ key: 'mode' as const, value: mode }] : []),
  ];
}

export function withoutChip(address: ListAddress, { key, value }: Chip): ListAddress {
  if (key === 'project') return tidy({ ...address, project: '', page: 1 });
  if (key === 'lock' || key === 'mode') {
    const { [key]: _gone, ...others } = address;
    return tidy({ ...others, page: 1 });
  }
  const rest = (address[key] ?? []).filter(other => other !== value);
  return tidy({ ...address, [key]: rest, page: 1 });
}

/** Takes `tag: -tag: project: status: sort:` out of what was typed; what remains is part of the name. */
export function parseTyped(typed: string, address: ListAddress): { address: ListAddress; rest: string } {
  const rest: string[] = [];
  const next: ListAddress = { ...address, page: 1 };
  for (const word of typed.split(/\s+/)) {
    const [, key, value] = /^(tag|-tag|project|status|sort|lock|mode):(\S+)$/.exec(word) ?? [];
    if (key === undefined || value === undefined) rest.push(word);
    else if (key === 'tag' || key === '-tag')
      next[key] = [...new Set([...(next[key] ?? []), value])].slice(0, mostTags);
    else if (key === 'project') next.project = value;
    else if (key === 'lock' && locks.includes(value)) next.lock = value as 'locked';
    else if (key === 'mode' && modes.includes(value)) next.mode = value as 'remote';
    else if (key === 'status' && statusGroups.includes(value as StatusGroup))
      next.status = [...new Set([...(next.status ?? []), value as StatusGroup])];
    else if (key === 'sort' && sorts.includes(value as Sort)) next.sort = value as Sort;
    else rest.push(word);
  }
  return { address: tidy(next), rest: rest.join(' ').trim() };
}
