/** Which of several variables of one key a workspace has: the vendor's order, from its documentation. */

/** Where a variable comes from: a set that applies to the workspace. */
export interface Origin {
  name: string;
  global: boolean;
  priority: boolean;
  isOfProject: boolean;
  /** Whether it names the workspace, and whether it names its project. */
  namesWorkspace: boolean;
  namesProject: boolean;
}

export interface Candidate<Variable> {
  variable: Variable;
  /** Null for a variable of the workspace itself. */
  origin: Origin | null;
}

/** One variable for each key of each category, in the order given. */
export function prevailing<Variable extends { key: string; category: string }>(
  candidates: readonly Candidate<Variable>[],
): Variable[] {
  const best = new Map<string, Candidate<Variable>>();
  for (const one of candidates) {
    const place = `${one.variable.category} ${one.variable.key}`;
    const other = best.get(place);
    if (!other || prevails(one.origin, other.origin)) best.set(place, one);
  }
  const chosen = new Set([...best.values()].map(({ variable }) => variable));
  return candidates.map(({ variable }) => variable).filter(variable => chosen.has(variable));
}

function prevails(one: Origin | null, other: Origin | null): boolean {
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank !== otherRank) return rank < otherRank;
  // By code points, which is how their UTF-8 compares: the first name prevails.
  return Buffer.compare(Buffer.from(one?.name ?? ''), Buffer.from(other?.name ?? '')) < 0;
}

/** From the strongest: 0. */
function rankOf(origin: Origin | null): number {
  if (!origin) return order.indexOf('workspace');
  const owner = origin.isOfProject ? 'project' : 'organization';
  return order.indexOf(`${origin.priority ? 'priority ' : ''}${scopeOf(origin)} ${owner}`);
}

/** Of a set that names the workspace and its project, the one that makes it stronger. */
function scopeOf({ global, priority, namesProject, namesWorkspace }: Origin): string {
  if (global) return 'global';
  const isBroad = priority ? namesProject : !namesWorkspace;
  return isBroad ? 'project-wide' : 'workspace-wide';
}

/** Scope, then owner. A priority set is the stronger the broader it is, any other the more specific it is. */
const order = [
  'priority global organization',
  'priority project-wide organization',
  'priority project-wide project',
  'priority workspace-wide organization',
  'priority workspace-wide project',
  'workspace',
  'workspace-wide project',
  'workspace-wide organization',
  'project-wide project',
  'project-wide organization',
  'global organization',
];
