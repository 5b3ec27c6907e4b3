/** /: the only organization or the last one; else a choice of them. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ownMembershipsQuery } from '../account/own-memberships.ts';
import { paths } from '../paths.ts';
import { frame as text } from '../texts/frame.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Avatar, Empty, PageHead } from '../ui/parts.tsx';
import { lastOrganization, organizationsQuery } from './organizations.ts';

const Memberships = lazy(async () => ({ default: (await import('../account/memberships.tsx')).Memberships }));

/** Somebody may have invited; else there is nothing yet. */
function NoOrganization() {
  const memberships = useQuery(ownMembershipsQuery);
  const navigate = useNavigate();
  if (memberships.data?.length)
    return (
      <Suspense>
        <Memberships />
      </Suspense>
    );
  const action = (
    <Button variant="filled" onClick={() => void navigate({ to: paths.welcome() })}>
      {text.newOrganization}
    </Button>
  );
  return (
    <Empty title={text.noOrganization} action={action}>
      <p>{text.noOrganizationDetail}</p>
    </Empty>
  );
}

export function ChooseOrganization() {
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {all => {
        const names = all.map(({ attributes }) => attributes.name);
        const chosen = names.length === 1 ? names[0] : names.find(name => name === lastOrganization());
        if (chosen) return <Navigate to={paths.workspaces(chosen)} replace />;
        if (names.length === 0) return <NoOrganization />;
        return (
          <main className="page">
            <PageHead title={text.chooseOrganization} />
            <ul className="card">
              {all.map(({ id, attributes }) => (
                <li key={id}>
                  <Link className="list-row line" to={paths.workspaces(attributes.name)}>
                    <Avatar name={attributes.name} id={id} />
                    <span className="strong">{attributes.name}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </main>
        );
      }}
    </Loaded>
  );
}
