/** /~/admin/<page>: the server itself, for those who run it. */
import { Link, lazyRouteComponent, Outlet, useParams } from '@tanstack/react-router';
import { type ComponentType, Suspense } from 'react';
import { NotFound } from '../frame/not-found.tsx';
import { paths } from '../paths.ts';
import { administration as text } from '../texts/account.ts';
import { Skeleton } from '../ui/loaded.tsx';
import { PageHead } from '../ui/parts.tsx';
import { Audit } from './audit.tsx';
import { General } from './general.tsx';
import { Health } from './health.tsx';
import { Users } from './users.tsx';
import { Versions } from './versions.tsx';

type Page = keyof typeof text.pages;

export function Administration() {
  return (
    <>
      <PageHead title={text.title} hint={text.hint} />
      <div className="settings">
        <nav className="nav" aria-label={text.title}>
          {(Object.keys(text.pages) as Page[]).map(page => (
            <Link key={page} to={paths.admin(page)}>
              {text.pages[page]}
            </Link>
          ))}
        </nav>
        <div className="stack">
          <Outlet />
        </div>
      </div>
    </>
  );
}

const pages: Record<Page, ComponentType> = {
  users: Users,
  'sign-in': lazyRouteComponent(() => import('../sign-in-providers/settings.tsx'), 'SignInProviders'),
  versions: Versions,
  general: General,
  audit: Audit,
  health: Health,
};

export function AdministrationPage() {
  const { page } = useParams({ strict: false }) as { page: Page };
  const Shown = pages[page];
  return Shown ? (
    <Suspense fallback={<Skeleton />}>
      <Shown key={page} />
    </Suspense>
  ) : (
    <NotFound />
  );
}
