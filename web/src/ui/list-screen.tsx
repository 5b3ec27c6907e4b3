/** A screen that is one list: its name, a search, a way to add, and the rows. */
import type { ReactNode } from 'react';
import { useKeys } from '../frame/keys.ts';
import { Act, type Missing } from './act.tsx';
import { FindField } from './find-field.tsx';
import type { ListAddress } from './list-address.ts';
import { PageHead } from './parts.tsx';
import { Rows, type RowsProps } from './rows.tsx';

interface Props<T> extends Omit<RowsProps<T>, 'onPage'> {
  title: string;
  caption: string;
  address: ListAddress;
  /** Of the field that searches. */
  find?: string;
  add: { label: string; allowed: boolean; missing: Missing; onClick: () => void };
  /** Between the head and the rows. */
  children?: ReactNode;
}

export function ListScreen<T extends { id: string }>({ title, find, add, address, children, ...rows }: Props<T>) {
  useKeys({ create: () => add.allowed && add.onClick() });
  return (
    <>
      <PageHead title={title}>
        {find && <FindField label={find} address={address} />}
        <Act variant="filled" icon="plus" allowed={add.allowed} missing={add.missing} onClick={add.onClick}>
          {add.label}
        </Act>
      </PageHead>
      {children}
      <div className="card">
        <Rows {...rows} none={{ ...rows.none, onShowAll: address.onShowAll }} onPage={address.onPage} />
      </div>
    </>
  );
}
