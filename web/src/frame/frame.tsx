/** What stands round every screen of an organization. It never changes its content. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, startTransition, useEffect, useState } from 'react';
import { useChanges } from '../api/changes.ts';
import { lastOrganization, organizationQuery, rememberOrganization } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { useSessionState } from '../session/session.ts';
import { common } from '../texts/common.ts';
import { Failure } from '../ui/loaded.tsx';
import { setExactTimes, timesAreExact } from '../ui/time.tsx';
import { useKeys } from './keys.ts';
import { Offline } from './offline.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';

const loadPalette = () => import('./palette.tsx');
const loadSessionEnded = () => import('../session/ended.tsx');
const Palette = lazy(loadPalette);
const SessionEnded = lazy(loadSessionEnded);
const KeyHelp = lazy(() => import('./key-help.tsx'));

export function Frame() {
  const { organization: named } = useParams({ strict: false }) as { organization?: string };
  // One's own pages belong to no organization: the sidebar keeps the one that was open last.
  const organization = named ?? lastOrganization() ?? undefined;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [overlay, setOverlay] = useState<'palette' | 'help' | null>(null);
  const close = () => setOverlay(null);
  const session = useSessionState();
  // Fetched once the page rests: what is typed right after the keys that open it would be lost.
  useEffect(() => {
    const load = () => void Promise.all([loadPalette(), loadSessionEnded()]).catch(() => undefined);
    const timer = setTimeout(() => document.visibilityState === 'visible' && load(), 1500);
    return () => clearTimeout(timer);
  }, []);
  // As a transition: React would else hold back what it has only just loaded for 300 ms.
  const show = (next: 'palette' | 'help') => startTransition(() => setOverlay(next));
  useKeys({
    palette: () => show('palette'),
    help: () => show('help'),
    times: () => setExactTimes(!timesAreExact()),
  });
  return (
    <div className="app">
      <a className="skip" href="#content">
        {common.skipToContent}
      </a>
      {isMenuOpen && (
        <button type="button" className="side-behind" aria-label={common.close} onClick={() => setMenuOpen(false)} />
      )}
      <Sidebar
        organization={organization}
        isOpen={isMenuOpen}
        onLeave={() => setMenuOpen(false)}
        onHelp={() => show('help')}
      />
      <div>
        <TopBar onMenu={() => setMenuOpen(true)} onJump={() => show('palette')} />
        <Offline />
        <main className="page" id="content">
          <Outlet />
        </main>
      </div>
      {organization && <GoKeys organization={organization} />}
      <Suspense>
        {session === 'ended' && <SessionEnded />}
        {overlay === 'palette' && <Palette organization={organization} onClose={close} />}
        {overlay === 'help' && <KeyHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** The organization of the address must be one that the caller may see, else there is nothing here. */
export function OrganizationScreens() {
  const { organization } = useParams({ from: '/signed-in/$organization' });
  const query = useQuery(organizationQuery(organization));
  useChanges(organization);
  useEffect(() => {
    if (query.isSuccess) rememberOrganization(organization);
  }, [query.isSuccess, organization]);
  if (query.isError && !query.data) return <Failure failure={query.error} retry={() => void query.refetch()} />;
  // Screens ask for what they need at the same time, not after the organization.
  return <Outlet />;
}

function GoKeys({ organization }: { organization: string }) {
  const navigate = useNavigate();
  const go = (to: string) => () => void navigate({ to });
  useKeys({
    goWorkspaces: go(paths.workspaces(organization)),
    goProjects: go(paths.projects(organization)),
    goRuns: go(paths.runs(organization)),
    goTeams: go(paths.teams(organization)),
    goMembers: go(paths.members(organization)),
    goAudit: go(paths.audit(organization)),
    goSettings: go(paths.settings(organization)),
  });
  return null;
}
