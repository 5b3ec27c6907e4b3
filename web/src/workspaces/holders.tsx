/** …/settings/team-access: who may do something with the workspace, person by person, and through what. */
import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Resource } from '../api/client.ts';
import { settings } from '../texts/settings.ts';
import { teams } from '../texts/teams.ts';
import { Card } from '../ui/parts.tsx';
import { Rows } from '../ui/rows.tsx';

type Holder = Resource<'permission-holders'>;
const text = settings.access.who;

const holdersQuery = (workspaceId: string, action: string, page: number) => ({
  queryKey: ['team-workspaces', 'who', workspaceId, action, page],
  placeholderData: keepPreviousData,
  queryFn: () =>
    answer(
      api.GET('/workspaces/{workspace_id}/who', {
        params: { path: { workspace_id: workspaceId }, query: { action, 'page[number]': page, 'page[size]': 50 } },
      }),
    ),
});

export function Holders({ workspaceId }: { workspaceId: string }) {
  const [action, setAction] = useState('can-queue-apply');
  const [page, setPage] = useState(1);
  const query = useQuery(holdersQuery(workspaceId, action, page));
  const choose = (chosen: string | null) => {
    if (chosen) setAction(chosen);
    setPage(1);
  };
  return (
    <Card
      title={text.title}
      flush
      action={
        <Select
          aria-label={text.action}
          data={Object.entries(text.actions).map(([value, label]) => ({ value, label }))}
          value={action}
          allowDeselect={false}
          onChange={choose}
        />
      }
    >
      <Rows<Holder>
        caption={text.title}
        query={query}
        none={{ title: text.none }}
        onPage={setPage}
        columns={[
          { title: text.person, cell: ({ attributes }) => <span className="strong">{attributes.username}</span> },
          { title: text.through, width: 'third', cell: ({ attributes }) => throughOf(attributes.grants) },
        ]}
      />
    </Card>
  );
}

/** Each way once: the team, and what gave it to the team. */
const throughOf = (grants: Holder['attributes']['grants']) =>
  [...new Set(grants.map(({ via, 'team-name': team }) => `${team ?? ''} (${teams.via[via] ?? via})`))].join(', ');
