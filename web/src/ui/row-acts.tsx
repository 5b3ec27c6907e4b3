/** What can be done with a row: one thing is a button, several are a menu. What ends something asks first. */
import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts/common.ts';
import { Dialog } from './dialog.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface RowAct {
  label: string;
  icon: IconName;
  onClick: () => void;
}

export interface Removal<T> {
  /** Of the button beside the row. */
  label: (record: T) => string;
  title: (record: T) => string;
  ends: ReactNode | ((record: T) => ReactNode);
  submit: string;
  remove: (record: T) => Promise<unknown>;
  may?: (record: T) => boolean;
}

interface Props<T> {
  record: T;
  name: string | undefined;
  acts: ((record: T) => readonly RowAct[]) | undefined;
  removal: Removal<T> | false | undefined;
  onLeave: (record: T) => void;
}

export function RowActs<T>({ record, name = '', acts, removal, onLeave }: Props<T>) {
  const all = [...(acts?.(record) ?? [])];
  if (removal && (removal.may?.(record) ?? true))
    all.push({ label: removal.label(record), icon: 'trash', onClick: () => onLeave(record) });
  const [first] = all;
  if (!first) return null;
  if (all.length === 1)
    return (
      <ActionIcon variant="subtle" aria-label={first.label} title={first.label} onClick={first.onClick}>
        <Icon name={first.icon} />
      </ActionIcon>
    );
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={common.actionsFor(name)}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {all.map(({ label, icon, onClick }) => (
          <Menu.Item key={label} leftSection={<Icon name={icon} />} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface LeaveProps<T> {
  removal: Removal<T>;
  record: T;
  onClose: () => void;
}

export function Leave<T>({ removal, record, onClose }: LeaveProps<T>) {
  const submit = async () => {
    await removal.remove(record);
    onClose();
  };
  return (
    <Dialog danger opened title={removal.title(record)} submit={removal.submit} onClose={onClose} onSubmit={submit}>
      {typeof removal.ends === 'function' ? removal.ends(record) : removal.ends}
    </Dialog>
  );
}
