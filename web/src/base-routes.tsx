/** The root, signing in, and what belongs to no organization. */
import { createRootRoute, createRoute, lazyRouteComponent, Navigate, Outlet, redirect } from '@tanstack/react-router';
import { cache } from './api/cache.ts';
import { crumbs } from './crumbs.ts';
import { Frame } from './frame/frame.tsx';
import { NotFound } from './frame/not-found.tsx';
import { ChooseOrganization } from './organizations/choose.tsx';
import { at, paths } from './paths.ts';
import { accountQuery } from './session/account.ts';
import { sessionOpened, sessionState } from './session/session.ts';

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/~/sign-in',
  validateSearch: ({ to, refused }: Record<string, unknown>) => ({
    ...(typeof to === 'string' && { to }),
    ...(typeof refused === 'string' && { refused }),
  }),
  component: lazyRouteComponent(() => import('./session/sign-in.tsx'), 'SignIn'),
});

/** Where one-time links lead. */
export const setPassword = createRoute({
  getParentRoute: () => root,
  path: '/~/password',
  component: lazyRouteComponent(() => import('./session/set-password.tsx'), 'SetPassword'),
});

/** Where a provider sends back to whoever signed in beside a screen. */
export const arrived = createRoute({
  getParentRoute: () => root,
  path: '/~/signed-in',
  component: lazyRouteComponent(() => import('./session/signed-in.tsx'), 'SignedIn'),
});

/** Everything else needs somebody signed in, and brings them back to where they wanted to go. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  beforeLoad: requireSomebody,
});

/** What the command line opens, by way of /oauth/authorize: outside of the frame, since it asks one thing. */
export const authorize = createRoute({
  getParentRoute: () => root,
  path: '/~/authorize',
  beforeLoad: requireSomebody,
  component: lazyRouteComponent(() => import('./session/authorize.tsx'), 'Authorize'),
});

async function requireSomebody({ location }: { location: { href: string } }): Promise<void> {
  if (sessionState() !== 'none') return;
  // A link or single sign-on may have opened a session that this browser does not know of yet.
  try {
    await cache.fetchQuery({ ...accountQuery, retry: false });
    sessionOpened();
  } catch {
    throw redirect({ to: paths.signIn(), search: { to: location.href } });
  }
}

export const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: ChooseOrganization });
export const welcome = createRoute({
  getParentRoute: () => signedIn,
  path: '/~/welcome',
  component: lazyRouteComponent(() => import('./organizations/welcome.tsx'), 'Welcome'),
});

export const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/~/settings',
  staticData: { crumb: crumbs.account },
  component: lazyRouteComponent(() => import('./account/screens.tsx'), 'AccountSettings'),
});
export const accountPage = createRoute({
  getParentRoute: () => account,
  path: '/$page',
  component: lazyRouteComponent(() => import('./account/screens.tsx'), 'AccountPage'),
});
/** What the command line opens: it prints the vendor's address. */
export const loginAlias = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings/tokens',
  component: () => <Navigate {...at(paths.account('tokens'), loginAlias.useSearch())} replace />,
});
export const administration = createRoute({
  getParentRoute: () => signedIn,
  path: '/~/admin',
  staticData: { crumb: crumbs.administration },
  component: lazyRouteComponent(() => import('./administration/screens.tsx'), 'Administration'),
});
export const administrationPage = createRoute({
  getParentRoute: () => administration,
  path: '/$page',
  component: lazyRouteComponent(() => import('./administration/screens.tsx'), 'AdministrationPage'),
});
export const workspaceById = createRoute({
  getParentRoute: () => signedIn,
  path: '/~/workspaces/$id',
  component: lazyRouteComponent(() => import('./workspaces/by-id.tsx'), 'WorkspaceById'),
});
export const runById = createRoute({
  getParentRoute: () => signedIn,
  path: '/~/runs/$id',
  component: lazyRouteComponent(() => import('./runs/by-id.tsx'), 'RunById'),
});
