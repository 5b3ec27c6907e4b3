/** /<org>/teams/<id>: what stands above every screen of a team. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { teams as text } from '../texts/teams.ts';
import { Id } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Tabs, Title } from '../ui/parts.tsx';
import { teamQuery } from './teams.ts';

export function useTeam() {
  const { organization, team } = useParams({ strict: false }) as { organization: string; team: string };
  return { organization, id: team, query: useQuery(teamQuery(team)) };
}

export function TeamLayout() {
  const { organization, id, query } = useTeam();
  const to = paths.team(organization, id);
  return (
    <Loaded query={query} skeleton={<Skeleton />}>
      {({ data: { attributes } }) => (
        <>
          <div className="record-head">
            <div className="record-title">
              <Title of={attributes.name}>{attributes.name}</Title>
              <span className="badge">
                <Icon name="eye" />
                {attributes.visibility === 'secret' ? text.secret : text.visible}
              </span>
            </div>
            <div className="record-facts">
              <Id id={id} />
              <span>
                <Icon name="member" />
                {text.count(attributes['users-count'])}
              </span>
            </div>
            <Tabs
              label={text.tabsLabel}
              tabs={[
                { to, label: text.tabs.access },
                { to: `${to}/places`, label: text.tabs.places },
                { to: `${to}/members`, label: text.tabs.members, count: attributes['users-count'] },
                { to: `${to}/tokens`, label: text.tabs.tokens },
                { to: `${to}/settings`, label: text.tabs.settings },
              ]}
            />
          </div>
          <Outlet />
        </>
      )}
    </Loaded>
  );
}
