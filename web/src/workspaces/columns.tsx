/** The columns of the list: what each shows, how wide it is, and what the server can sort by it. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import type { workspaces as text } from '../texts/workspaces.ts';
import { Time } from '../ui/time.tsx';
import { LockMark, RunStatus } from './status.tsx';
import { Tags } from './tags-cell.tsx';
import type { Workspace, WorkspaceList } from './workspaces.ts';

/** What the window leaves for the table: as much as is wished for, as much as is needed, or less. */
export type Room = 'roomy' | 'narrow' | 'least';
const tagsShown: Record<Room, number> = { roomy: 2, narrow: 1, least: 0 };

export interface Column {
  key: keyof typeof text.column;
  width?: string;
  /** The same where the window leaves less room than names need. */
  narrow?: string;
  /** And where it leaves less still. */
  least?: string;
  sort?: 'name' | 'latest-change-at' | 'current-run.created-at';
  /** Whether it is shown before anybody chooses. */
  isUsual: boolean;
  cell: (workspace: Workspace, list: WorkspaceList, organization: string, room: Room) => ReactNode;
}

export const columns: readonly Column[] = [
  {
    key: 'name',
    sort: 'name',
    isUsual: true,
    cell: ({ attributes }, _list, organization) => (
      <Link className="name" to={paths.workspace(organization, attributes.name)}>
        {attributes.name}
      </Link>
    ),
  },
  {
    key: 'status',
    width: '16.5%',
    least: '20%',
    sort: 'current-run.created-at',
    isUsual: true,
    cell: ({ relationships }, list) => <RunStatus run={included(list, relationships['current-run'], 'runs')} />,
  },
  {
    key: 'lock',
    width: '10%',
    narrow: '8%',
    isUsual: true,
    cell: (workspace, list) => <LockMark workspace={workspace} document={list} />,
  },
  {
    key: 'project',
    width: '10%',
    least: '13%',
    isUsual: true,
    cell: ({ relationships }, list) => (
      <span className="muted">{included(list, relationships.project, 'projects')?.attributes.name}</span>
    ),
  },
  {
    key: 'tags',
    width: '19%',
    narrow: '17.5%',
    least: '10%',
    isUsual: true,
    cell: (workspace, list, _organization, room) => <Tags workspace={workspace} list={list} shown={tagsShown[room]} />,
  },
  {
    key: 'mode',
    width: '10%',
    isUsual: false,
    cell: ({ attributes }) => <span className="muted">{attributes['execution-mode']}</span>,
  },
  {
    key: 'version',
    width: '9%',
    isUsual: false,
    cell: ({ attributes }) => <span className="muted mono">{attributes['engine-version']}</span>,
  },
  {
    key: 'resources',
    width: '9%',
    isUsual: false,
    cell: ({ attributes }) => <span className="muted">{number(attributes['resource-count'])}</span>,
  },
  {
    key: 'changed',
    width: '12%',
    narrow: '11%',
    least: '13%',
    sort: 'latest-change-at',
    isUsual: true,
    cell: ({ attributes }) => (
      <span className="muted nowrap">
        <Time at={attributes['latest-change-at']} />
      </span>
    ),
  },
];

const stored = 'terrane.columns';

export function chosenColumns(): string[] {
  const kept = localStorage.getItem(stored);
  return kept ? kept.split(',') : columns.filter(column => column.isUsual).map(column => column.key);
}

export function chooseColumns(keys: string[]): void {
  localStorage.setItem(stored, keys.join(','));
}
