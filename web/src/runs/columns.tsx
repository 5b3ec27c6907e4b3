/** What a list of runs says of each. */
import { Link } from '@tanstack/react-router';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { runs as text } from '../texts/runs.ts';
import type { Column } from '../ui/rows.tsx';
import { Time } from '../ui/time.tsx';
import { RunStatus } from '../workspaces/status.tsx';
import type { Run, RunList } from './runs.ts';

const names = text.columns;

export const runName = ({ id, attributes }: Run) => attributes.message || id;

const workspaceOf = (list: RunList | undefined, run: Run) =>
  list && included(list, run.relationships.workspace, 'workspaces')?.attributes.name;

/** By its id alone where nobody says in which workspace it is. */
export function runPath(organization: string, list: RunList | undefined, run: Run, workspace?: string): string {
  const name = workspace ?? workspaceOf(list, run);
  return name ? paths.run(organization, name, run.id) : paths.runById(run.id);
}

/** `workspace`: the one that all are of. Without it a column says of which each is. */
export function runColumns(organization: string, list: RunList | undefined, workspace?: string): Column<Run>[] {
  const whose: Column<Run> = {
    title: names.workspace,
    width: 'quarter',
    cell: run => {
      const name = workspaceOf(list, run);
      return name && <Link to={paths.workspace(organization, name)}>{name}</Link>;
    },
  };
  return [
    {
      title: names.run,
      cell: run => (
        <Link className="name" to={runPath(organization, list, run, workspace)} title={run.id}>
          {runName(run)}
        </Link>
      ),
    },
    ...(workspace === undefined ? [whose] : []),
    { title: names.status, width: 'sixth', cell: run => <RunStatus run={run} /> },
    {
      title: names.who,
      width: 'eighth',
      isExtra: true,
      cell: run => list && included(list, run.relationships['created-by'], 'users')?.attributes.username,
    },
    {
      title: names.source,
      width: 'eighth',
      isExtra: true,
      cell: ({ attributes }) => <span className="muted">{text.source[attributes.source] ?? attributes.source}</span>,
    },
    { title: names.created, width: 'eighth', cell: ({ attributes }) => <Time at={attributes['created-at']} /> },
  ];
}
