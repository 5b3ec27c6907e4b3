/** A card with records in rows: a name, something about it, and what can be done with it. */
import { ActionIcon, Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Loaded, Skeleton } from './loaded.tsx';
import { Card, Empty } from './parts.tsx';

interface Removal<T> {
  /** Of the button beside the row. */
  label: (record: T) => string;
  title: (record: T) => string;
  ends: ReactNode;
  submit: string;
  remove: (record: T) => Promise<unknown>;
  may?: (record: T) => boolean;
}

interface Props<T> {
  title: string;
  query: UseQueryResult<T[]>;
  row: (record: T) => ReactNode;
  none: string;
  noneDetail?: ReactNode;
  add?: { label: string; onClick: () => void } | false | undefined;
  removal?: Removal<T> | false | undefined;
}

export function RecordList<T extends { id?: string }>({ title, query, row, none, noneDetail, add, removal }: Props<T>) {
  const [leaving, setLeaving] = useState<T | null>(null);
  const action = add && (
    <Button size="xs" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add.onClick}>
      {add.label}
    </Button>
  );
  return (
    <Card title={title} action={action} flush>
      <Loaded query={query} skeleton={<Skeleton rows={4} />}>
        {records =>
          records.length === 0 ? (
            <Empty title={none}>{noneDetail && <p>{noneDetail}</p>}</Empty>
          ) : (
            <ul aria-label={title}>
              {records.map(record => (
                <li key={record.id} className="card-row line">
                  <div className="grow line wrap">{row(record)}</div>
                  {removal && (removal.may?.(record) ?? true) && (
                    <ActionIcon variant="subtle" aria-label={removal.label(record)} onClick={() => setLeaving(record)}>
                      <Icon name="trash" />
                    </ActionIcon>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {removal && leaving && (
        <Dialog
          danger
          opened
          title={removal.title(leaving)}
          submit={removal.submit}
          onClose={() => setLeaving(null)}
          onSubmit={() => removal.remove(leaving).then(() => setLeaving(null))}
        >
          {removal.ends}
        </Dialog>
      )}
    </Card>
  );
}
