/** What a list shows is in its address: the search, the page, and a choice. What is typed gets there once it rests. */
import { useDebouncedCallback } from '@mantine/hooks';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { at } from '../paths.ts';

interface Shown {
  q?: string;
  status?: string;
  page?: number;
}

const rest_ms = 200;

export interface ListAddress {
  q: string;
  status: string | undefined;
  page: number;
  /** What stands in the field, which is ahead of the address while somebody types. */
  typed: string;
  onType: (typed: string) => void;
  onStatus: (status: string | undefined) => void;
  onPage: (page: number) => void;
  /** Where something narrows the list down: the way back to all of it. */
  onShowAll: (() => void) | undefined;
}

export function useListAddress(): ListAddress {
  const { q = '', status, page = 1 } = useSearch({ strict: false }) as Shown;
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState<string | null>(null);
  const go = (shown: Shown, replace = true) => navigate({ ...at(pathname, shown), replace });
  const find = useDebouncedCallback(async (wanted: string) => {
    await go({ q: wanted, ...(status && { status }) });
    setTyped(now => (now === wanted ? null : now));
  }, rest_ms);
  return {
    q,
    status,
    page: Number(page) || 1,
    typed: typed ?? q,
    onType: wanted => {
      setTyped(wanted);
      find(wanted);
    },
    onStatus: wanted => void go({ q, ...(wanted && { status: wanted }) }),
    onPage: to => void go({ q, ...(status && { status }), page: to }, false),
    onShowAll:
      q || status
        ? () => {
            setTyped(null);
            void go({});
          }
        : undefined,
  };
}
