/** Audit events as files. */
import type { AuditEvent } from './events.ts';

const columns = [
  'occurred-at',
  'action',
  'actor-name',
  'actor-type',
  'actor-id',
  'resource-type',
  'resource-name',
  'resource-id',
  'token-id',
  'request-id',
  'remote-address',
] as const;

export const asLines = (events: AuditEvent[]) =>
  events.map(({ id, attributes }) => JSON.stringify({ id, ...attributes })).join('\n');

/** Values that a spreadsheet would take for a formula are kept from being one. */
export function asTable(events: AuditEvent[]): string {
  const cell = (value: unknown) => {
    const text = String(value ?? '');
    return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  const rows = events.map(({ attributes }) => columns.map(column => cell(attributes[column])).join(','));
  return [columns.join(','), ...rows].join('\r\n');
}
