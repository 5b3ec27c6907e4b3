/** j and k go from row to row, Enter opens one, c copies its id. */
import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { useKeys } from '../frame/keys.ts';
import { useCopy } from './copy.tsx';

/** The row that was last in use, -1 for none, and how to name another. Without `href` there are no keys. */
export function useRowKeys<T extends { id: string }>(
  body: RefObject<HTMLTableSectionElement | null>,
  records: readonly T[],
  href: ((record: T) => string) | undefined,
): [number, (index: number) => void] {
  const [active, setActive] = useState(-1);
  const [, copy] = useCopy();
  const navigate = useNavigate();
  const at = records[active];
  const move = (step: number) => {
    const next = Math.max(0, Math.min(records.length - 1, active + step));
    setActive(next);
    body.current?.rows[next]?.querySelector<HTMLElement>('a, button')?.focus();
  };
  useKeys(
    href
      ? {
          down: () => move(1),
          up: () => move(-1),
          open: () => at && void navigate({ to: href(at) }),
          copyId: () => at && copy(at.id),
        }
      : {},
  );
  return [href ? active : -1, setActive];
}
