// What an import did, and what it could not do, for people and for programs.
import type { Missing } from './record.ts';

export type Outcome = 'made' | 'changed' | 'unchanged' | 'failed';

export interface Report {
  from: string;
  to: string;
  isDry: boolean;
  /** By kind, for people. */
  counts: Record<string, Record<Outcome, number>>;
  states: number;
  /** Ids that scripts and configurations may name, where they changed. */
  ids: { type: string; name: string; from: string; to: string }[];
  toFill: Remark[];
  notBrought: Remark[];
  failed: Remark[];
  seconds: number;
  requests: { from: number; to: number };
}

export interface Remark {
  kind: string;
  name: string;
  what: string;
  why: string;
}

export function emptyReport(from: string, to: string, isDry: boolean): Report {
  const lists = { ids: [], toFill: [], notBrought: [], failed: [] };
  return { from, to, isDry, counts: {}, states: 0, ...lists, seconds: 0, requests: { from: 0, to: 0 } };
}

export function count(report: Report, title: string, outcome: Outcome): void {
  report.counts[title] ??= { made: 0, changed: 0, unchanged: 0, failed: 0 };
  report.counts[title][outcome] += 1;
}

export function remark(report: Report, kind: string, name: string, missing: readonly Missing[]): void {
  for (const { what, why, toFill } of missing)
    (toFill ? report.toFill : report.notBrought).push({ kind, name, what, why });
}

/** The whole report as Markdown. */
export function asMarkdown(report: Report): string {
  const { from, to, isDry, counts, states, ids, seconds } = report;
  const rows = Object.entries(counts).map(([title, { made, changed, unchanged, failed }]) => [
    title,
    ...[made, changed, unchanged, failed].map(String),
  ]);
  const headings = isDry
    ? ['Kind', 'To be made', 'To be changed', 'As they are', 'Failed']
    : ['Kind', 'Made', 'Changed', 'As they were', 'Failed'];
  return [
    `# ${isDry ? 'What an import would do' : 'Import'}: ${from} → ${to}`,
    '',
    table(headings, rows),
    '',
    `${states} states ${isDry ? 'would come' : 'came'}; ${seconds.toFixed(1)} s.`,
    ...section('Failed', report.failed),
    ...section('To be filled in by hand', report.toFill),
    ...section('Not brought', report.notBrought),
    ...(ids.length > 0
      ? [
          '',
          '## New ids',
          '',
          table(
            ['Kind', 'Name', 'Was', 'Is'],
            ids.map(id => [id.type, id.name, id.from, id.to]),
          ),
        ]
      : []),
    '',
  ].join('\n');
}

function section(title: string, remarks: readonly Remark[]): string[] {
  if (remarks.length === 0) return [];
  const rows = remarks.map(({ kind, name, what, why }) => [kind, name, what, why]);
  return ['', `## ${title}`, '', table(['Kind', 'Name', 'What', 'Why'], rows)];
}

function table(headings: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The few lines that a person reads at the end. */
export function summary(report: Report): string {
  const { counts, states, isDry, seconds, failed, toFill, notBrought } = report;
  const lines = Object.entries(counts).flatMap(([title, { made, changed, unchanged }]) => {
    const parts = [
      `${made} ${isDry ? 'to be made' : 'made'}`,
      ...(changed > 0 ? [`${changed} ${isDry ? 'to be changed' : 'changed'}`] : []),
      ...(unchanged > 0 ? [`${unchanged} as they were`] : []),
    ];
    return `  ${title}: ${parts.join(', ')}`;
  });
  return [
    `${report.from} → ${report.to}, ${seconds.toFixed(1)} s${isDry ? '; nothing was changed' : ''}:`,
    ...lines,
    `  states: ${states}`,
    ...(failed.length > 0 ? [`${failed.length} failed: call it again, it goes on where something is missing`] : []),
    ...(toFill.length > 0 ? [`${toFill.length} to be filled in by hand`] : []),
    ...(notBrought.length > 0 ? [`${notBrought.length} not brought`] : []),
  ].join('\n');
}
