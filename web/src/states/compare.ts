/** Compares two states: resources by address, their attributes, and outputs. Plain values in, differences out. */
export type Change = 'add' | 'change' | 'remove';

export interface ValueChange {
  path: string;
  before: unknown;
  after: unknown;
  isSensitive: boolean;
}

export interface ItemChange {
  name: string;
  change: Change;
  values: ValueChange[];
}

export interface Comparison {
  resources: ItemChange[];
  outputs: ItemChange[];
  unchanged: number;
}

interface Instance {
  index_key?: string | number;
  attributes?: Record<string, unknown>;
  sensitive_attributes?: unknown[];
}
interface StateFile {
  resources?: { module?: string; mode?: string; type: string; name: string; instances?: Instance[] }[];
  outputs?: Record<string, { value: unknown; sensitive?: boolean }>;
}
interface Item {
  values: Record<string, unknown>;
  sensitive: Set<string>;
}

export function compareStates(before: string, after: string, namesOnly = false): Comparison {
  const [old, young] = [JSON.parse(before) as StateFile, JSON.parse(after) as StateFile];
  const resources = compareItems(resourcesOf(old, namesOnly), resourcesOf(young, namesOnly));
  const outputs = compareItems(outputsOf(old, namesOnly), outputsOf(young, namesOnly));
  return { resources: resources.changes, outputs: outputs.changes, unchanged: resources.unchanged };
}

function resourcesOf(state: StateFile, namesOnly: boolean): Map<string, Item> {
  const found = new Map<string, Item>();
  for (const { module, mode, type, name, instances = [] } of state.resources ?? []) {
    const base = [module, mode === 'data' ? 'data' : undefined, type, name].filter(Boolean).join('.');
    for (const { index_key: key, attributes = {}, sensitive_attributes = [] } of instances) {
      const address = key === undefined ? base : `${base}[${JSON.stringify(key)}]`;
      found.set(address, { values: namesOnly ? {} : attributes, sensitive: topNames(sensitive_attributes) });
    }
  }
  return found;
}

/** The first step of each path: what lies below a sensitive attribute is sensitive, too. */
function topNames(paths: unknown[]): Set<string> {
  return new Set(
    paths.flatMap(path => {
      const first = Array.isArray(path) ? (path[0] as { value?: unknown } | undefined)?.value : undefined;
      return typeof first === 'string' ? [first] : [];
    }),
  );
}

function outputsOf(state: StateFile, namesOnly: boolean): Map<string, Item> {
  const entries = Object.entries(state.outputs ?? {});
  return new Map(
    entries.map(([name, { value, sensitive }]) => [
      name,
      { values: namesOnly ? {} : { value }, sensitive: new Set(sensitive ? ['value'] : []) },
    ]),
  );
}

function compareItems(
  before: Map<string, Item>,
  after: Map<string, Item>,
): { changes: ItemChange[]; unchanged: number } {
  const changes: ItemChange[] = [];
  let unchanged = 0;
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, young] = [before.get(name), after.get(name)];
    const values = compareValues(old, young);
    if (!old) changes.push({ name, change: 'add', values });
    else if (!young) changes.push({ name, change: 'remove', values });
    else if (values.length > 0) changes.push({ name, change: 'change', values });
    else unchanged += 1;
  }
  return { changes, unchanged };
}

function compareValues(old: Item | undefined, young: Item | undefined): ValueChange[] {
  const paths = [...new Set([...Object.keys(old?.values ?? {}), ...Object.keys(young?.values ?? {})])].sort();
  return paths.flatMap(path => {
    const [before, after] = [old?.values[path], young?.values[path]];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const isSensitive = (old?.sensitive.has(path) ?? false) || (young?.sensitive.has(path) ?? false);
    return [{ path, before, after, isSensitive }];
  });
}
