/** Pages of settings beside the list of them; each is fetched when somebody goes there. */
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { type ComponentType, Suspense, useState } from 'react';
import { NotFound } from '../frame/not-found.tsx';
import { Icon } from './icon.tsx';
import { Skeleton } from './loaded.tsx';

interface FrameProps<P extends string> {
  label: string;
  pages: Record<P, string>;
  /** Where a page lies. */
  to: (page: P) => string;
}

export function SettingsFrame<P extends string>({ label, pages, to }: FrameProps<P>) {
  const here = useRouterState({ select: state => state.location.pathname });
  const names = Object.keys(pages) as P[];
  const current = names.find(page => here === to(page));
  // Where there is no room beside the page, the list of pages is folded into the name of this one.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === here;
  return (
    <div className="settings">
      <nav className="nav" aria-label={label} data-open={isOpen || undefined}>
        <button
          type="button"
          className="only-narrow"
          aria-expanded={isOpen}
          onClick={() => setOpenedAt(isOpen ? null : here)}
        >
          <span className="grow">{current ? pages[current] : label}</span>
          <Icon name="down" size={14} />
        </button>
        {names.map(page => (
          <Link key={page} to={to(page)}>
            {pages[page]}
          </Link>
        ))}
      </nav>
      <div className="stack">
        <Outlet />
      </div>
    </div>
  );
}

interface PageProps<P extends string, Given extends object> {
  pages: Record<P, ComponentType<Given>>;
  /** As the address says it, which may be none of them. */
  page: P;
  given: Given;
}

export function SettingsPage<P extends string, Given extends object>({ pages, page, given }: PageProps<P, Given>) {
  const Shown: ComponentType<Given> | undefined = pages[page];
  if (!Shown) return <NotFound />;
  return (
    <Suspense fallback={<Skeleton />}>
      <Shown key={page} {...given} />
    </Suspense>
  );
}
