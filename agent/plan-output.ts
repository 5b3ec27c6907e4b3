/** What a plan says of itself, read from its documented JSON form: counts, and the form without what is sensitive. */
import { createHash } from 'node:crypto';
import type { AssessmentCounts, Report } from './protocol.ts';

// biome-ignore lint/suspicious/noExplicitAny: the engines' documents, of which a few members are read.
type Json = any;

type Counts = Pick<Report, 'resource_additions' | 'resource_changes' | 'resource_destructions' | 'resource_imports'>;

/** As engines count them: a replacement is an addition and a destruction, and what is only read is nothing. */
export function countsOf(plan: Json): Counts {
  const counts = { resource_additions: 0, resource_changes: 0, resource_destructions: 0, resource_imports: 0 };
  for (const { mode, change } of plan.resource_changes ?? []) {
    if (mode !== 'managed') continue;
    const actions: string[] = change?.actions ?? [];
    if (actions.includes('create')) counts.resource_additions += 1;
    if (actions.includes('update')) counts.resource_changes += 1;
    if (actions.includes('delete')) counts.resource_destructions += 1;
    if (change?.importing) counts.resource_imports += 1;
  }
  return counts;
}

/** Of a plan that only refreshes: what is other than its state says, and what the checks of the configuration say. */
export function assessmentOf(plan: Json): AssessmentCounts {
  const drifted = (plan.resource_drift ?? []).filter(
    ({ mode, change }: Json) => mode === 'managed' && !(change?.actions ?? []).every((one: string) => one === 'no-op'),
  ).length;
  const checks: string[] = (plan.checks ?? []).map(({ status }: Json) => status);
  const having = (status: string) => checks.filter(one => one === status).length;
  return {
    resources_drifted: drifted,
    resources_undrifted: Math.max(0, managedIn(plan.prior_state?.values?.root_module) - drifted),
    checks_passed: having('pass'),
    checks_failed: having('fail'),
    checks_errored: having('error'),
    checks_unknown: having('unknown'),
  };
}

/** Instances, in the module and those below it. */
function managedIn(module: Json): number {
  if (!module) return 0;
  const own = (module.resources ?? []).filter(({ mode }: Json) => mode === 'managed').length;
  return (module.child_modules ?? []).reduce((sum: number, child: Json) => sum + managedIn(child), own);
}

/** `Apply complete! Resources: 1 added, 2 changed, 3 destroyed.` and the like, within a log of any form. */
export function countsInLog(text: string): Counts {
  const [line] = /Resources: [^\n"]*/.exec(text) ?? [];
  if (!line) return {};
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
  return {
    resource_additions: count('added'),
    resource_changes: count('changed'),
    resource_destructions: count('destroyed'),
    resource_imports: count('imported'),
  };
}

/** What command lines render a plan from. `key` makes values that differ look different, and tells nothing about them. */
export function redactedPlan(plan: Json, schemas: Json, key: string): object {
  const changes = (list: Json[] | undefined) =>
    (list ?? []).map(one => ({ ...one, change: redacted(one.change, key) }));
  const outputs = Object.entries(plan.output_changes ?? {}).map(([name, change]) => [name, redacted(change, key)]);
  const resourceChanges = changes(plan.resource_changes);
  const drift = changes(plan.resource_drift);
  const deferred = (plan.deferred_changes ?? []).map((one: Json) => ({
    ...one,
    resource_change: one.resource_change && {
      ...one.resource_change,
      change: redacted(one.resource_change.change, key),
    },
  }));
  return {
    plan_format_version: plan.format_version,
    resource_changes: resourceChanges,
    resource_drift: drift,
    relevant_attributes: plan.relevant_attributes ?? [],
    output_changes: Object.fromEntries(outputs),
    ...(deferred.length > 0 && { deferred_changes: deferred }),
    ...(plan.action_invocations && { action_invocations: plan.action_invocations }),
    provider_format_version: schemas.format_version ?? '1.0',
    provider_schemas: neededSchemas(schemas.provider_schemas ?? {}, [...resourceChanges, ...drift]),
  };
}

function redacted(change: Json, key: string): Json {
  if (!change) return change;
  return {
    ...change,
    before: withoutSensitive(change.before, change.before_sensitive, key),
    after: withoutSensitive(change.after, change.after_sensitive, key),
    ...(change.generated_config && { generated_config: change.generated_config }),
  };
}

/** `marks` is true for a value that is sensitive as a whole, and otherwise has the form of the value. */
function withoutSensitive(value: Json, marks: Json, key: string): Json {
  if (marks === true) {
    if (value === null || value === undefined) return value;
    return createHash('sha256').update(key).update(JSON.stringify(value)).digest('hex').slice(0, 16);
  }
  if (value === null || typeof value !== 'object' || marks === null || typeof marks !== 'object') return value;
  if (Array.isArray(value)) return value.map((one, position) => withoutSensitive(one, marks[position], key));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withoutSensitive(one, marks[name], key)]),
  );
}

/** Of the types that change alone: the schemas of a large provider are a hundred times the plan. */
function neededSchemas(schemas: Record<string, Json>, changes: readonly Json[]): Record<string, Json> {
  const types = new Map<string, Set<string>>();
  for (const { provider_name, type } of changes) {
    types.set(provider_name, (types.get(provider_name) ?? new Set()).add(type));
  }
  const only = (all: Record<string, Json> | undefined, wanted: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(all ?? {}).filter(([type]) => wanted.has(type)));
  const needed = [...types].flatMap(([provider, wanted]): [string, Json][] => {
    const schema = schemas[provider];
    if (!schema) return [];
    const { resource_schemas, data_source_schemas } = schema;
    return [
      [
        provider,
        {
          provider: schema.provider,
          resource_schemas: only(resource_schemas, wanted),
          data_source_schemas: only(data_source_schemas, wanted),
        },
      ],
    ];
  });
  return Object.fromEntries(needed);
}
