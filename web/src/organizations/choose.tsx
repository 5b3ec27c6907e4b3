/** /: the only organization or the last one; else a choice of them. */
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { frame as text } from '../texts/frame.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Avatar, Empty, PageHead } from '../ui/parts.tsx';
import { lastOrganization, organizationsQuery } from './organizations.ts';

export function ChooseOrganization() {
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {all => {
        const names = all.map(({ attributes }) => attributes.name);
        const chosen = names.length === 1 ? names[0] : names.find(name => name === lastOrganization());
        if (chosen) return <Navigate to={paths.workspaces(chosen)} replace />;
        if (names.length === 0) return <Empty title={text.noOrganization}>{text.noOrganizationDetail}</Empty>;
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
