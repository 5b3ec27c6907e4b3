/** The single workspaces that a pool is open to, or closed to, beside what holds for whole projects. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Resource } from '../api/client.ts';
import { paths } from '../paths.ts';
import { organization as text } from '../texts/organization.ts';
import { Dialog } from '../ui/dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { WorkspaceChoice } from '../workspaces/workspace-choice.tsx';
import { type AgentPool, changePlaces, type PlaceKind, placesQuery } from './agent-pools.ts';

interface Props {
  organization: string;
  pool: AgentPool;
  kind: PlaceKind;
  mayChange: boolean;
}

export function PoolWorkspaces({ organization, pool, kind, mayChange }: Props) {
  const words = text.poolWorkspaces[kind];
  const query = useQuery({ ...placesQuery(pool.id), select: placesOf(kind) });
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    setChosen(null);
  };
  const add = async () => {
    if (chosen) await changePlaces(pool.id, kind, ids => [...ids, chosen]);
    close();
  };
  return (
    <>
      <RecordList<Resource<'workspaces'>>
        title={words.title(pool.attributes.name)}
        lead={words.lead}
        query={query}
        none={{ title: words.none }}
        add={mayChange && { label: `${words.add}…`, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.poolWorkspace,
            cell: ({ attributes: { name } }) => (
              <Link className="name" to={paths.workspace(organization, name)}>
                {name}
              </Link>
            ),
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes: { name } }) => words.remove(name),
            title: ({ attributes: { name } }) => `${words.remove(name)}?`,
            ends: <p>{words.ends}</p>,
            submit: words.submit,
            remove: ({ id }) => changePlaces(pool.id, kind, ids => ids.filter(other => other !== id)),
          }
        }
      />
      <Dialog
        title={words.add}
        opened={isOpen}
        onClose={close}
        submit={words.add}
        submitDisabled={!chosen}
        onSubmit={add}
      >
        <WorkspaceChoice
          organization={organization}
          label={text.poolWorkspace}
          value={chosen}
          onChange={setChosen}
          except={(query.data ?? []).map(({ id }) => id)}
        />
      </Dialog>
    </>
  );
}

type Document = Awaited<ReturnType<NonNullable<ReturnType<typeof placesQuery>['queryFn']>>>;

const placesOf = (kind: PlaceKind) => (document: Document) => {
  const ids = new Set(document.data.relationships[kind].data.map(({ id }) => id));
  return (document.included ?? []).filter(({ id }) => ids.has(id)) as Resource<'workspaces'>[];
};
