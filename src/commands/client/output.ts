// What a person reads on a terminal, and a program anywhere else.
import type { Resource } from '../remote/server.ts';

/** The columns of lists, by type; of others the first few that are short. */
const columns: Record<string, readonly string[]> = {
  workspaces: ['name', 'execution-mode', 'terraform-version', 'locked', 'resource-count', 'updated-at'],
  teams: ['name', 'visibility', 'users-count'],
  projects: ['name', 'description', 'workspace-count', 'team-count'],
  organizations: ['name', 'email', 'created-at'],
  'organization-memberships': ['email', 'status', 'created-at'],
  runs: ['status', 'message', 'source', 'created-at'],
  vars: ['key', 'value', 'category', 'sensitive', 'hcl'],
  'state-versions': ['serial', 'status', 'size', 'created-at'],
  'audit-events': ['created-at', 'action', 'actor', 'subject'],
};
const mostColumns = 5;
const widest = 48;

export function tableOf(records: readonly Resource[]): string {
  const [first] = records;
  if (!first) return 'None.';
  const names = (columns[first.type] ?? shortOnes(first)).filter(name =>
    records.some(({ attributes }) => name in attributes),
  );
  const rows = [
    ['id', ...names],
    ...records.map(({ id, attributes }) => [id, ...names.map(name => cell(attributes[name]))]),
  ];
  return aligned(rows);
}

/** One record: an attribute a line, then what it refers to. */
export function recordOf({ id, type, attributes, relationships }: Resource): string {
  const references = Object.entries(relationships ?? {}).flatMap(([name, { data }]) => {
    const ids = [data ?? []].flat().map(one => one.id);
    return ids.length > 0
      ? [[name, ids.slice(0, 5).join(' ') + (ids.length > 5 ? ` and ${ids.length - 5} more` : '')]]
      : [];
  });
  const lines = Object.entries(attributes)
    .filter(([name, value]) => name !== 'permissions' && value !== null && value !== '')
    .map(([name, value]) => [name, cell(value, 500)]);
  return aligned([[type, id], ...lines, ...references]);
}

function shortOnes({ attributes }: Resource): string[] {
  const short = Object.entries(attributes).filter(([, value]) => value === null || typeof value !== 'object');
  return short.slice(0, mostColumns).map(([name]) => name);
}

function cell(value: unknown, most = widest): string {
  if (value === null || value === undefined) return '-';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // What a server sends may hold signs that move the cursor or paint over other lines.
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.length > most ? `${plain.slice(0, most - 1)}…` : plain;
}

function aligned(rows: readonly string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)));
  const last = widths.length - 1;
  return rows
    .map(row =>
      row
        .map((text, column) => (column === last ? text : text.padEnd(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
