/** Numbered pages: where we are, how many there are, and straight to one of them. */
import { ActionIcon } from '@mantine/core';
import type { Pagination } from '../api/documents.ts';
import { useKeys } from '../frame/keys.ts';
import { common } from '../texts/common.ts';
import { Icon } from './icon.tsx';

interface Props {
  pagination: Pagination;
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
}

const sizes = [20, 50, 100];
const fewPages = 5;

export function Pager({ pagination, onPage, onSize }: Props) {
  const { 'current-page': page, 'page-size': size, 'total-pages': pages, 'total-count': total } = pagination;
  const from = (page - 1) * size + 1;
  const isLast = pages === undefined ? !pagination['next-page'] : page >= pages;
  const text = common.pages;
  return (
    <nav className="pager" aria-label="Pages">
      {total !== undefined && <span>{text.range(Math.min(from, total), Math.min(from + size - 1, total), total)}</span>}
      <span className="grow" />
      {onSize && (
        <label>
          <select value={size} onChange={event => onSize(Number(event.currentTarget.value))}>
            {[...new Set([...sizes, size])].map(choice => (
              <option key={choice}>{choice}</option>
            ))}
          </select>{' '}
          {text.perPage}
        </label>
      )}
      {pages !== undefined && pages > fewPages && (
        <input
          type="number"
          aria-label={text.goTo}
          placeholder={text.goTo}
          min={1}
          max={pages}
          onKeyDown={({ key, currentTarget: { value } }) => {
            if (key === 'Enter' && value !== '') onPage(Math.max(1, Math.min(pages, Math.trunc(Number(value)))));
          }}
        />
      )}
      <ActionIcon
        variant="default"
        size="sm"
        aria-label={text.previous}
        aria-disabled={page <= 1}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="left" />
      </ActionIcon>
      <span>{text.page(page, pages)}</span>
      <ActionIcon variant="default" size="sm" aria-label={text.next} disabled={isLast} onClick={() => onPage(page + 1)}>
        <Icon name="right" />
      </ActionIcon>
    </nav>
  );
}

/** [ and ] turn the pages of the list that its screen is about. */
export function usePageKeys(pagination: Pagination | undefined, onPage: (page: number) => void): void {
  const { 'current-page': page = 1, 'total-pages': pages = 1 } = pagination ?? {};
  const turn = (to: number) => to >= 1 && to <= pages && onPage(to);
  useKeys({ previousPage: () => turn(page - 1), nextPage: () => turn(page + 1) });
}
