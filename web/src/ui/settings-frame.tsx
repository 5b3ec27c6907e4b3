/** Pages of settings beside the list of them; each is fetched when somebody goes there. */
import { Link, Outlet } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { NotFound } from '../frame/not-found.tsx';
import { Skeleton } from './loaded.tsx';

interface FrameProps<P extends string> {
  label: string;
  pages: Record<P, string>;
  /** Where a page lies. */
  to: (page: P) => string;
}

export function SettingsFrame<P extends string>({ label, pages, to }: FrameProps<P>) {
  return (
    <div className="settings">
      <nav className="nav" aria-label={label}>
        {(Object.keys(pages) as P[]).map(page => (
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
