/** /~/admin/<page>: the server itself, for those who run it. */

import { lazyRouteComponent, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFound } from '../frame/not-found.tsx';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { administration as text } from '../texts/account.ts';
import { PageHead } from '../ui/parts.tsx';
import { SettingsFrame, SettingsPage } from '../ui/settings-frame.tsx';
import { Audit } from './audit.tsx';
import { General } from './general.tsx';
import { Health } from './health.tsx';
import { Users } from './users.tsx';
import { Versions } from './versions.tsx';

type Page = keyof typeof text.pages;

export function Administration() {
  const { data } = useAccount();
  if (!data) return null;
  // Its head and its lists would tell a stranger that they run this server.
  if (!data.data.attributes['is-site-admin']) return <NotFound />;
  return (
    <>
      <PageHead title={text.title} hint={text.hint} />
      <SettingsFrame label={text.title} pages={text.pages} to={paths.admin} />
    </>
  );
}

const pages: Record<Page, ComponentType> = {
  users: Users,
  'sign-in': lazyRouteComponent(() => import('../sign-in-providers/settings.tsx'), 'SignInProviders'),
  versions: Versions,
  'feature-sets': lazyRouteComponent(() => import('./feature-sets.tsx'), 'FeatureSets'),
  general: General,
  audit: Audit,
  health: Health,
};

export function AdministrationPage() {
  const { page } = useParams({ strict: false }) as { page: Page };
  return <SettingsPage pages={pages} page={page} given={{}} />;
}
