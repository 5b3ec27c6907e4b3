/** The workspaces, or the projects, that a set applies to. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Resource } from '../api/client.ts';
import { paths } from '../paths.ts';
import { projectsQuery } from '../projects/projects.ts';
import { sets as text } from '../texts/account.ts';
import { variables as words } from '../texts/variables.ts';
import { Dialog } from '../ui/dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { WorkspaceChoice } from '../workspaces/workspace-choice.tsx';
import { changed, ofSet, setQuery } from './sets.ts';

type Place = Resource<'workspaces'> | Resource<'projects'>;

interface PlacesProps {
  organization: string;
  id: string;
  kind: 'workspaces' | 'projects';
  mayChange: boolean;
}

const named = <K extends PlacesProps['kind']>(kind: K, set: string, place: string) => ({
  params: { path: { variable_set_id: set } },
  body: { data: [{ type: kind, id: place }] },
});

const ways = {
  workspaces: {
    add: (set: string, place: string) =>
      answer(api.POST('/varsets/{variable_set_id}/relationships/workspaces', named('workspaces', set, place))),
    remove: (set: string, place: string) =>
      answer(api.DELETE('/varsets/{variable_set_id}/relationships/workspaces', named('workspaces', set, place))),
  },
  projects: {
    add: (set: string, place: string) =>
      answer(api.POST('/varsets/{variable_set_id}/relationships/projects', named('projects', set, place))),
    remove: (set: string, place: string) =>
      answer(api.DELETE('/varsets/{variable_set_id}/relationships/projects', named('projects', set, place))),
  },
};

export function Places({ organization, id, kind, mayChange }: PlacesProps) {
  const query = useQuery({ ...setQuery(id), select: ofSet<Place>(kind) });
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const projects = useQuery({ ...projectsQuery(organization), enabled: kind === 'projects' });
  const add = async () => {
    if (chosen) await ways[kind].add(id, chosen);
    await changed();
    setOpen(false);
    setChosen(null);
  };
  const label = kind === 'workspaces' ? text.addWorkspace : text.addProject;
  return (
    <>
      <RecordList
        title={text[kind]}
        query={query}
        none={{ title: text.noPlace }}
        add={mayChange && { label, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.name,
            cell: ({ attributes, id: place }) => (
              <Link
                className="name"
                to={
                  kind === 'workspaces'
                    ? paths.workspace(organization, attributes.name)
                    : paths.project(organization, place)
                }
              >
                {attributes.name}
              </Link>
            ),
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes }) => text.takeAway(attributes.name),
            title: ({ attributes }) => `${text.takeAway(attributes.name)}?`,
            ends: <p>{words.deleteDetail}</p>,
            submit: text.takeAwaySubmit[kind],
            remove: place => ways[kind].remove(id, place.id).then(changed),
          }
        }
      />
      <Dialog
        title={label.replace('…', '')}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={label.replace('…', '')}
        submitDisabled={!chosen}
        onSubmit={add}
      >
        {kind === 'workspaces' ? (
          <WorkspaceChoice organization={organization} label={text.workspaces} value={chosen} onChange={setChosen} />
        ) : (
          <Select
            label={text.projects}
            searchable
            data-autofocus
            data={(projects.data ?? []).map(({ id: value, attributes }) => ({ value, label: attributes.name }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
      </Dialog>
    </>
  );
}
