/** `include` (§4.1, §4.3): render the page, collect ids by path, load each type once through the same visibility as reads. */
import type { Actor } from '../access/actor.ts';
import { ApiError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Sql } from '../store/store.ts';
import { type Gathered, type Identifier, type Row, recordsOf } from './fields.ts';
import { type RawQuery, single } from './query.ts';
import type { Compiled, Resource } from './resource.ts';

/** Every type that can be included, by its JSON:API type. */
export type Registry = ReadonlyMap<string, { resource: Resource; compiled: Compiled }>;

/** `current_run.plan` and `current-run.plan` are the same path. */
const normal = (path: string) => path.trim().replaceAll('_', '-');

/** The asked paths as segments. Throws `invalid-include` for a path that the endpoint does not know. */
export function readInclude(query: RawQuery, valid: readonly string[]): string[][] {
  const raw = single(query, 'include');
  if (!raw) return [];
  const known = new Set(valid.map(normal));
  return raw.split(',').map(path => {
    if (!known.has(normal(path))) {
      throw new ApiError('invalid-include', { value: path, valid: valid.join(', ') }, { parameter: 'include' });
    }
    return normal(path).split('.');
  });
}

interface Primary {
  resource: Resource;
  rows: readonly Row[];
}

/** What to include, and through whose eyes. */
interface Asks {
  paths: readonly (readonly string[])[];
  registry: Registry;
  sql: Sql;
  actor: Actor;
  /** Whether they belong to the answer of a change that was made. */
  isChange: boolean;
}

/** Before the page is rendered: the records of relationships that name them only where they are included. */
export async function gatherIncluded({ resource, rows }: Primary, { paths, sql }: Asks): Promise<Gathered> {
  const gathered = new Map<object, ReadonlyMap<string, readonly Row[]>>();
  for (const segment of bySegment(paths).keys()) {
    const gather = resource.relationships[segment]?.gather;
    if (gather) gathered.set(gather, await gather(sql, rows));
  }
  return gathered;
}

/** The `included` records as JSON, each once, none that is primary data. Throws `include-too-large`. */
export async function loadIncluded(primary: Primary, asks: Asks, gathered: Gathered): Promise<string[]> {
  const { registry } = asks;
  const seen = new Set(primary.rows.map(row => `${primary.resource.type}:${row.id}`));
  const loaded = new Map<string, Row>();
  const rendered = bounded(asks.isChange);

  const load = async (type: string, target: Resource, ids: readonly string[]) => {
    const missing = ids.filter(id => !loaded.has(`${type}:${id}`));
    const { value: atOnce } = limits.loadedAtOnce_items;
    for (let from = 0; from < missing.length && rendered.hasRoomFor(missing.length - from); from += atOnce) {
      const rows = (await target.load?.(asks.sql, asks.actor, missing.slice(from, from + atOnce))) ?? [];
      for (const row of rows) {
        loaded.set(`${type}:${row.id}`, row);
        render(type, row);
      }
    }
  };
  const render = (type: string, row: Row) => {
    if (seen.has(`${type}:${row.id}`)) return;
    seen.add(`${type}:${row.id}`);
    rendered.add(registry.get(type)!.compiled.stringify(row));
  };
  const follow = async (resource: Resource, rows: readonly Row[], rest: readonly (readonly string[])[]) => {
    for (const [segment, deeper] of bySegment(rest)) {
      const relationship = resource.relationships[segment];
      const identifiers = relationship ? rows.flatMap(row => relationship.identifiers(row, gathered)) : [];
      for (const row of rows) {
        const type = relationship?.types[0];
        for (const found of relationship ? recordsOf(relationship, row, gathered) : [])
          loaded.set(`${type}:${found.id}`, found);
      }
      for (const [type, ids] of byType(identifiers)) {
        const target = registry.get(type);
        if (!target) continue;
        await load(type, target.resource, ids);
        const reached = ids.map(id => loaded.get(`${type}:${id}`)).filter(row => row !== undefined);
        for (const row of reached) render(type, row);
        if (deeper.length > 0) await follow(target.resource, reached, deeper);
      }
    }
  };
  await follow(primary.resource, primary.rows, asks.paths);
  return rendered.documents;
}

/** What is included, within the limits. A change has been made when it is answered: its answer is cut, not refused. */
function bounded(isChange: boolean) {
  const { included_items: mostItems, included_bytes: mostBytes } = limits;
  const documents: string[] = [];
  let length = 0;
  let isFull = false;
  const refuseOrCut = (most: string) => {
    if (!isChange) throw new ApiError('include-too-large', { most }, { parameter: 'include' });
    isFull = true;
  };
  return {
    documents,
    /** Asked before records are read. */
    hasRoomFor: (count: number): boolean => {
      if (documents.length + count > mostItems.value) refuseOrCut(`${mostItems.value} records`);
      return !isFull;
    },
    add: (document: string) => {
      length += document.length;
      if (length > mostBytes.value) refuseOrCut(`${mostBytes.value} bytes`);
      if (!isFull) documents.push(document);
    },
  };
}

function bySegment(paths: readonly (readonly string[])[]): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  for (const [head, ...tail] of paths) {
    if (head === undefined) continue;
    const group = groups.get(head) ?? [];
    if (tail.length > 0) group.push(tail);
    groups.set(head, group);
  }
  return groups;
}

function byType(identifiers: readonly Identifier[]): Map<string, string[]> {
  const groups = new Map<string, Set<string>>();
  for (const { type, id } of identifiers) {
    const group = groups.get(type) ?? new Set();
    groups.set(type, group.add(id));
  }
  return new Map([...groups].map(([type, ids]) => [type, [...ids]]));
}
