// The same documents from two servers, read side by side: what differs, and what only one of them has.
import { kinds, workspaceType } from './kinds/all.ts';
import type { ServerOrigin } from './origin.ts';
import { inParallel } from './parallel.ts';
import { type Difference, differences, type Json, type MovedRecord } from './record.ts';
import { digest, type Which } from './states.ts';

export interface Comparison {
  from: string;
  to: string;
  /** How many records were compared, by kind. */
  compared: Record<string, number>;
  states: number;
  different: { kind: string; name: string; path: string; from: Json | undefined; to: Json | undefined }[];
  onlyFrom: { kind: string; name: string }[];
  onlyTo: { kind: string; name: string }[];
  /** Attributes that only one of the servers knows at all. */
  unknown: string[];
  seconds: number;
}

export interface CompareOptions {
  states: Which;
  parallel: number;
  onProgress: (done: number, total: number, what: string) => void;
}

export async function compareOrganizations(
  from: ServerOrigin,
  to: ServerOrigin,
  options: CompareOptions,
): Promise<Comparison> {
  const started_ms = performance.now();
  const lists = { compared: {}, different: [], onlyFrom: [], onlyTo: [], unknown: [] };
  const comparison: Comparison = { from: from.title, to: to.title, ...lists, states: 0, seconds: 0 };
  options.onProgress(0, 0, 'reading both');
  const [fromHead, toHead] = await Promise.all([from.head(), to.head()]);
  for (const { type, title } of kinds) {
    const other = new Map(toHead.get(type)?.map(record => [record.name, record]));
    for (const record of fromHead.get(type) ?? []) {
      compareRecords(comparison, title, record, other.get(record.name));
      other.delete(record.name);
    }
    for (const name of other.keys()) comparison.onlyTo.push({ kind: title, name });
  }
  await compareWorkspaces(from, to, options, comparison);
  comparison.seconds = (performance.now() - started_ms) / 1000;
  return comparison;
}

function compareRecords(comparison: Comparison, kind: string, from: MovedRecord, to: MovedRecord | undefined): void {
  const { name } = from;
  if (!to) {
    comparison.onlyFrom.push({ kind, name });
    return;
  }
  comparison.compared[kind] = (comparison.compared[kind] ?? 0) + 1;
  for (const difference of differences(from.content, to.content)) {
    if (isUnknownToOne(difference)) {
      const what = `${kind}: ${difference.path.slice('attributes.'.length)}`;
      if (!comparison.unknown.includes(what)) comparison.unknown.push(what);
    } else comparison.different.push({ kind, name, ...difference });
  }
}

/** A document without an attribute comes from a server that has no such attribute. */
function isUnknownToOne({ path, from, to }: Difference): boolean {
  return path.startsWith('attributes.') && (from === undefined || to === undefined);
}

async function compareWorkspaces(
  from: ServerOrigin,
  to: ServerOrigin,
  options: CompareOptions,
  comparison: Comparison,
): Promise<void> {
  const met = new Set<string>();
  let done = 0;
  for await (const { records, total } of from.workspaces()) {
    await inParallel(records, options.parallel, async record => {
      const id = to.place.directory.find(workspaceType, record.name);
      const other = id === undefined ? undefined : await to.workspace(id);
      met.add(record.name);
      compareRecords(comparison, workspaceType, record, other);
      if (other) await compareStates(from, to, record, other, options.states, comparison);
      done += 1;
      options.onProgress(done, total, workspaceType);
    });
  }
  for (const name of to.place.directory.namesOf(workspaceType))
    if (!met.has(name)) comparison.onlyTo.push({ kind: workspaceType, name });
}

async function compareStates(
  from: ServerOrigin,
  to: ServerOrigin,
  record: MovedRecord,
  other: MovedRecord,
  which: Which,
  comparison: Comparison,
): Promise<void> {
  const [mine, theirs] = await Promise.all([digests(from, record, which), digests(to, other, which)]);
  comparison.states += Object.keys(mine).length;
  for (const { path, from: was, to: is } of differences(mine, theirs))
    comparison.different.push({ kind: 'states', name: record.name, path: `serial ${path}`, from: was, to: is });
}

async function digests(origin: ServerOrigin, record: MovedRecord, which: Which): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { serial, fetch } of await origin.states(record, which)) digests[serial] = digest(await fetch());
  return digests;
}

/** Whether the two have the same records with the same contents. */
export function isSame({ different, onlyFrom, onlyTo }: Comparison): boolean {
  return different.length + onlyFrom.length + onlyTo.length === 0;
}

export function asLines(comparison: Comparison): string {
  const { from, to, compared, states, different, onlyFrom, onlyTo, unknown, seconds } = comparison;
  const show = (value: Json | undefined) => (value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 200));
  const counts = Object.entries(compared).map(([title, many]) => `${many} ${title}`);
  return [
    `${from} and ${to}: ${[...counts, `${states} states`].join(', ')} compared in ${seconds.toFixed(1)} s`,
    ...onlyFrom.map(({ kind, name }) => `only in the first: ${kind} ${name}`),
    ...onlyTo.map(({ kind, name }) => `only in the second: ${kind} ${name}`),
    ...different.map(one => `${one.kind} ${one.name}: ${one.path}: ${show(one.from)} → ${show(one.to)}`),
    ...unknown.map(what => `not compared, since only one of them has it: ${what}`),
    isSame(comparison) ? 'No differences.' : `${different.length + onlyFrom.length + onlyTo.length} differences.`,
  ].join('\n');
}
