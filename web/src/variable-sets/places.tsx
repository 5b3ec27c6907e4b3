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
import { changed, listed } from './sets.ts';

export type Place = Resource<'workspaces'> | Resource<'projects'>;

interface PlacesProps {
  organization: string;
  id: string;
  kind: 'workspaces' | 'projects';
  places: Place[];
  mayChange: boolean;
}

export function Places({ organization, id, kind, places, mayChange }: PlacesProps) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const projects = useQuery({ ...projectsQuery(organization), enabled: kind === 'projects' });
  const path = `/varsets/{variable_set_id}/relationships/${kind}` as const;
  const ask = (place: string) => ({
    params: { path: { variable_set_id: id } },
    body: { data: [{ type: kind, id: place }] } as never,
  });
  const add = async () => {
    if (chosen) await answer(api.POST(path, ask(chosen)));
    await changed();
    setOpen(false);
    setChosen(null);
  };
  const label = kind === 'workspaces' ? text.addWorkspace : text.addProject;
  return (
    <>
      <RecordList
        title={text[kind]}
        query={listed(places)}
        none={text.noPlace}
        add={mayChange && { label, onClick: () => setOpen(true) }}
        row={({ attributes, id: place }) => (
          <Link
            className="link"
            to={
              kind === 'workspaces'
                ? paths.workspace(organization, attributes.name)
                : paths.project(organization, place)
            }
          >
            {attributes.name}
          </Link>
        )}
        removal={
          mayChange && {
            label: ({ attributes }) => words.delete(attributes.name),
            title: ({ attributes }) => words.deleteQuestion(attributes.name),
            ends: <p>{words.deleteDetail}</p>,
            submit: label.replace('Add', 'Remove').replace('…', ''),
            remove: place => answer(api.DELETE(path, ask(place.id))).then(changed),
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
