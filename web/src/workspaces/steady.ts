/** A poll changes values in place and never moves a row: a new order waits until somebody asks for it. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { WorkspaceList } from './workspaces.ts';

interface Steady {
  list: WorkspaceList | undefined;
  /** How many rows would come, go or move. */
  waiting: number;
  showOrder: () => void;
}

export function useSteadyList(query: UseQueryResult<WorkspaceList>): Steady {
  const shown = useRef<{ key: string; ids: string[] } | null>(null);
  const [, refresh] = useState(0);
  const { data, isPlaceholderData } = query;
  const showOrder = () => {
    shown.current = null;
    refresh(count => count + 1);
  };
  if (!data || isPlaceholderData) return { list: data, waiting: 0, showOrder };
  // What was asked for, as the server repeats it: another page or filter is another list.
  const key = (data as unknown as { links: { self: string } }).links.self;
  const ids = data.data.map(({ id }) => id);
  if (shown.current?.key !== key || shown.current.ids.length === 0) shown.current = { key, ids };
  const order = shown.current.ids;
  const now = new Map(data.data.map(workspace => [workspace.id, workspace]));
  const rows = order.flatMap(id => now.get(id) ?? []);
  const waiting = ids.filter((id, index) => id !== order[index]).length + Math.max(0, order.length - ids.length);
  // Rows that are gone are gone: acting on them would only fail.
  return { list: waiting === 0 ? data : { ...data, data: rows }, waiting, showOrder };
}
