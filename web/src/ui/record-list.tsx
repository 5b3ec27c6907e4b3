/** A card with records in rows: one of the things that its screen is about. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Card } from './parts.tsx';
import { Rows, type RowsProps } from './rows.tsx';

interface Props<T> extends RowsProps<T> {
  title: string;
  /** What the list is for, above it. */
  lead?: ReactNode;
  add?: { label: string; onClick: () => void } | false | undefined;
}

export function RecordList<T extends { id: string }>({ title, lead, add, ...rows }: Props<T>) {
  const action = add && (
    <Button size="xs" variant="default" leftSection={<Icon name="plus" size={14} />} onClick={add.onClick}>
      {add.label}
    </Button>
  );
  return (
    <Card title={title} action={action} flush>
      {lead && <p className="card-row muted">{lead}</p>}
      <Rows caption={title} {...rows} />
    </Card>
  );
}
