/** What a plan would do, read from its structured form. */
export type Action = 'create' | 'update' | 'delete' | 'replace' | 'read' | 'no-op';

export interface ResourceChange {
  address: string;
  action: Action;
  values: ChangedValue[];
  unchanged: number;
}

export interface ChangedValue {
  path: string;
  before: unknown;
  after: unknown;
  isKnown: boolean;
  isSensitive: boolean;
  forces: boolean;
}

interface Planned {
  address: string;
  change: {
    actions: string[];
    before?: Record<string, unknown> | null;
    after?: Record<string, unknown> | null;
    after_unknown?: Record<string, unknown> | boolean;
    before_sensitive?: Record<string, unknown> | boolean;
    after_sensitive?: Record<string, unknown> | boolean;
    replace_paths?: unknown[][];
  };
}

export interface PlanFile {
  resource_changes?: Planned[];
  resource_drift?: Planned[];
  output_changes?: Record<string, Planned['change']>;
}

export interface PlanContents {
  resources: ResourceChange[];
  drift: ResourceChange[];
  outputs: ResourceChange[];
}

export function contentsOf(plan: PlanFile): PlanContents {
  const shown = (planned: Planned[] = []) => planned.map(changeOf).filter(({ action }) => action !== 'no-op');
  return {
    resources: shown(plan.resource_changes),
    drift: shown(plan.resource_drift),
    outputs: Object.entries(plan.output_changes ?? {})
      .map(([address, change]) => outputOf(address, change))
      .filter(({ action }) => action !== 'no-op'),
  };
}

function actionOf(actions: string[]): Action {
  if (actions.includes('create') && actions.includes('delete')) return 'replace';
  const [action = 'no-op'] = actions;
  return ['create', 'update', 'delete', 'read'].includes(action) ? (action as Action) : 'no-op';
}

const isMarked = (marks: Record<string, unknown> | boolean | undefined, key: string) =>
  marks === true ||
  (typeof marks === 'object' &&
    Boolean(marks[key]) &&
    JSON.stringify(marks[key]) !== '{}' &&
    JSON.stringify(marks[key]) !== '[]');

function changeOf({ address, change }: Planned): ResourceChange {
  const { before, after, after_unknown: unknown, before_sensitive, after_sensitive, replace_paths = [] } = change;
  const forcing = new Set(replace_paths.map(path => String(path[0])));
  const keys = [
    ...new Set([
      ...Object.keys(before ?? {}),
      ...Object.keys(after ?? {}),
      ...Object.keys(typeof unknown === 'object' ? unknown : {}),
    ]),
  ].sort();
  const values: ChangedValue[] = [];
  for (const path of keys) {
    const isKnown = !isMarked(unknown, path);
    const [old, young] = [before?.[path] ?? null, after?.[path] ?? null];
    if (isKnown && JSON.stringify(old) === JSON.stringify(young)) continue;
    const isSensitive = isMarked(before_sensitive, path) || isMarked(after_sensitive, path);
    values.push({ path, before: old, after: young, isKnown, isSensitive, forces: forcing.has(path) });
  }
  return { address, action: actionOf(change.actions), values, unchanged: keys.length - values.length };
}

function outputOf(address: string, change: Planned['change']): ResourceChange {
  const wrap = (value: unknown) => (value === undefined || value === null ? null : { value });
  return changeOf({
    address,
    change: {
      actions: change.actions,
      before: wrap(change.before),
      after: wrap(change.after),
      after_unknown: change.after_unknown === true ? { value: true } : {},
      before_sensitive: change.before_sensitive === true,
      after_sensitive: change.after_sensitive === true,
    },
  });
}
