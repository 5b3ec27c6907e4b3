/**
 * Records in rows, and everything that a list of them can be: read, empty for one of three reasons, refused, full. A table
 * where there is room, else rows of two lines. By keyboard as by pointer.
 */
import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { Pagination } from '../api/documents.ts';
import { common } from '../texts/common.ts';
import { handFocusOn } from './focus.ts';
import { type Asked, Loaded, Skeleton } from './loaded.tsx';
import { Pager, usePageKeys } from './pager.tsx';
import { Empty } from './parts.tsx';
import { Leave, type Removal, type RowAct, RowActs } from './row-acts.tsx';
import { useRowKeys } from './row-keys.ts';

/** The first column names the record. */
export interface Column<T> {
  title: string;
  cell: (record: T) => ReactNode;
  /** A part of the table; without it the column takes what is left. */
  width?: 'eighth' | 'sixth' | 'quarter' | 'third';
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
  /** Said only where there is room for it. */
  isExtra?: boolean;
}

/** Why nothing is here, and what helps. */
export interface Nothing {
  title: string;
  detail?: ReactNode;
  /** Where a search or a filter is the reason: the way back to everything. */
  onShowAll?: (() => void) | undefined;
}

type Answer<T> = readonly T[] | { data: readonly T[]; meta?: { pagination?: Pagination } };

export interface RowsProps<T> {
  query: Asked<Answer<T>> & { isPlaceholderData?: boolean };
  columns: readonly Column<T>[];
  none: Nothing;
  /** What a record is called where its acts are named. */
  nameOf?: (record: T) => string;
  acts?: ((record: T) => readonly RowAct[]) | undefined;
  removal?: Removal<T> | false | undefined;
  /** Where the key that opens a row leads. A list that has it is what its screen is about, and takes the keys. */
  href?: ((record: T) => string) | undefined;
  onPage?: ((page: number) => void) | undefined;
  /** As many rows as will likely come. */
  expected?: number;
}

export function Rows<T extends { id: string }>({ caption, ...props }: RowsProps<T> & { caption: string }) {
  const { query, none, removal, expected = 4, onPage } = props;
  const [leaving, setLeaving] = useState<T | null>(null);
  return (
    <div className="rows" tabIndex={-1}>
      <Loaded query={query} skeleton={<Skeleton rows={expected} />}>
        {answer => {
          const { data, meta } = 'data' in answer ? answer : { data: answer, meta: undefined };
          return (
            <>
              {query.isPlaceholderData && <div className="progress-line" />}
              {data.length === 0 ? (
                <None {...none} />
              ) : (
                <RowTable {...props} caption={caption} records={data} onLeave={setLeaving} />
              )}
              {onPage && meta?.pagination && <Turn pagination={meta.pagination} onPage={onPage} />}
            </>
          );
        }}
      </Loaded>
      {removal && leaving && <Leave removal={removal} record={leaving} onClose={() => setLeaving(null)} />}
    </div>
  );
}

function None({ title, detail, onShowAll }: Nothing) {
  if (!onShowAll) return <Empty title={title}>{detail && <p>{detail}</p>}</Empty>;
  const action = (
    <Button variant="default" onClick={onShowAll}>
      {common.clearAllFilters}
    </Button>
  );
  return <Empty title={common.nothingMatches} action={action} />;
}

function Turn({ pagination, onPage }: { pagination: Pagination; onPage: (page: number) => void }) {
  usePageKeys(pagination, onPage);
  return <Pager pagination={pagination} onPage={onPage} />;
}

type TableProps<T> = RowsProps<T> & { caption: string; records: readonly T[]; onLeave: (record: T) => void };

function RowTable<T extends { id: string }>(props: TableProps<T>) {
  const { caption, records, columns, nameOf, acts, removal, href, onLeave } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [active, setActive] = useRowKeys(body, records, href);
  const hasActs = Boolean(acts || removal);
  return (
    <table className="table two-line">
      <caption className="hidden-text">{caption}</caption>
      <thead>
        <tr>
          {columns.map(column => (
            <th key={column.title} scope="col" className={classOf(column)}>
              {column.title}
            </th>
          ))}
          {hasActs && (
            <th scope="col" className="actions-cell">
              <span className="hidden-text">{common.actions}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody ref={body}>
        {records.map((record, index) => (
          <tr
            key={record.id}
            ref={handFocusOn}
            data-active={index === active || undefined}
            onFocus={() => setActive(index)}
          >
            {columns.map((column, position) => (
              <td
                key={column.title}
                className={`${position === 0 ? 'name-cell ' : ''}${classOf(column)}`}
                data-title={column.title}
              >
                {column.cell(record)}
              </td>
            ))}
            {hasActs && (
              <td className="actions-cell">
                <RowActs record={record} name={nameOf?.(record)} acts={acts} removal={removal} onLeave={onLeave} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const classOf = <T,>({ width, isNumber, isExtra }: Column<T>) =>
  [width, isNumber && 'end', isExtra && 'only-wide'].filter(Boolean).join(' ');
