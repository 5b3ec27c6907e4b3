/** …/settings/run-triggers: what starts runs here, and what runs here start. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { useWorkspace } from './workspace.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

const text = settings.triggers;
const changed = () => cache.invalidateQueries({ queryKey: ['run-triggers'] });

export function RunTriggers() {
  const { organization, query } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const workspace = query.data?.data;
  if (!workspace) return null;
  const mayChange = workspace.attributes.permissions['can-update'];
  const add = async () => {
    if (!chosen) return;
    await answer(
      api.POST('/workspaces/{workspace_id}/run-triggers', {
        params: { path: { workspace_id: workspace.id } },
        body: { data: { relationships: { sourceable: { data: { type: 'workspaces', id: chosen } } } } },
      }),
    );
    setOpen(false);
    setChosen(null);
    await changed();
  };
  return (
    <>
      <Triggers
        organization={organization}
        id={workspace.id}
        type="inbound"
        mayChange={mayChange}
        onAdd={() => setOpen(true)}
      />
      <Triggers organization={organization} id={workspace.id} type="outbound" mayChange={false} />
      <Dialog
        title={text.addSubmit}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.addSubmit}
        submitDisabled={!chosen}
        onSubmit={add}
      >
        <WorkspaceChoice
          organization={organization}
          label={text.workspace}
          value={chosen}
          onChange={setChosen}
          except={[workspace.id]}
        />
      </Dialog>
    </>
  );
}

interface Props {
  organization: string;
  id: string;
  type: 'inbound' | 'outbound';
  mayChange: boolean;
  onAdd?: () => void;
}

type Trigger = Resource<'run-triggers'>;

/** What starts runs here, or what runs of this workspace start: the other workspace names each. */
function Triggers({ organization, id, type, mayChange, onAdd }: Props) {
  const query = useQuery({
    queryKey: ['run-triggers', id, type],
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/workspaces/{workspace_id}/run-triggers', {
            params: {
              path: { workspace_id: id },
              query: { 'filter[run-trigger][type]': type, 'page[number]': page, 'page[size]': 100 },
            },
          }),
        ),
      ),
  });
  const nameOf = ({ attributes }: Trigger) =>
    type === 'inbound' ? attributes['sourceable-name'] : attributes['workspace-name'];
  return (
    <RecordList
      title={type === 'inbound' ? text.title : text.outbound}
      lead={type === 'inbound' && text.detail}
      query={query}
      none={{ title: type === 'inbound' ? text.none : text.noneOutbound }}
      add={mayChange && onAdd && { label: text.add, onClick: onAdd }}
      columns={[
        {
          title: text.workspace,
          cell: trigger => (
            <Link className="name" to={paths.workspace(organization, nameOf(trigger))}>
              {nameOf(trigger)}
            </Link>
          ),
        },
      ]}
      removal={
        mayChange && {
          label: trigger => settings.remoteState.remove(nameOf(trigger)),
          title: trigger => `${settings.remoteState.remove(nameOf(trigger))}?`,
          ends: <p>{text.removeEnds}</p>,
          submit: text.removeSubmit,
          remove: trigger =>
            answer(
              api.DELETE('/run-triggers/{run_trigger_id}', { params: { path: { run_trigger_id: trigger.id } } }),
            ).then(changed),
        }
      }
    />
  );
}
