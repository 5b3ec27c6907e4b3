/** …/settings/run-triggers: what starts runs here, and what runs here start. */
import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { paths } from '../paths.ts';
import { settings } from '../texts/settings.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card } from '../ui/parts.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { useWorkspace } from './workspace.ts';
import { WorkspaceChoice } from './workspace-choice.tsx';

const text = settings.triggers;

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
        body: { data: { relationships: { sourceable: { data: { type: 'workspaces', id: chosen } } } } } as never,
      }),
    );
    setOpen(false);
    setChosen(null);
    await cache.invalidateQueries({ queryKey: ['run-triggers'] });
  };
  return (
    <>
      <Card
        title={text.title}
        flush
        action={
          mayChange && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => setOpen(true)}
            >
              {text.add}
            </Button>
          )
        }
      >
        <p className="card-row muted">{text.detail}</p>
        <Triggers organization={organization} id={workspace.id} type="inbound" mayChange={mayChange} none={text.none} />
      </Card>
      <Card title={text.outbound} flush>
        <Triggers
          organization={organization}
          id={workspace.id}
          type="outbound"
          mayChange={false}
          none={text.noneOutbound}
        />
      </Card>
      <Dialog
        title={text.add}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.add.replace('…', '')}
        submitDisabled={!chosen}
        onSubmit={add}
      >
        <WorkspaceChoice
          organization={organization}
          label="Workspace"
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
  none: string;
}

function Triggers({ organization, id, type, mayChange, none }: Props) {
  const query = useQuery({
    queryKey: ['run-triggers', id, type],
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}/run-triggers', {
          params: {
            path: { workspace_id: id },
            query: { 'filter[run-trigger][type]': type, 'page[size]': 100 } as never,
          },
        }),
      ),
  });
  const remove = (trigger: string) =>
    void answer(api.DELETE('/run-triggers/{run_trigger_id}', { params: { path: { run_trigger_id: trigger } } })).then(
      () => cache.invalidateQueries({ queryKey: ['run-triggers'] }),
      tellFailure,
    );
  return (
    <Loaded query={query} skeleton={<Skeleton rows={2} />}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="card-body muted">{none}</p>
        ) : (
          <ul>
            {data.map(trigger => {
              const names = trigger.attributes as Record<string, string>;
              const name = (type === 'inbound' ? names['sourceable-name'] : names['workspace-name']) ?? '';
              return (
                <li key={trigger.id} className="card-row line">
                  <Link className="link grow" to={paths.workspace(organization, name)}>
                    {name}
                  </Link>
                  {mayChange && (
                    <ActionIcon
                      variant="subtle"
                      aria-label={settings.remoteState.remove(name)}
                      onClick={() => remove(trigger.id)}
                    >
                      <Icon name="x" />
                    </ActionIcon>
                  )}
                </li>
              );
            })}
          </ul>
        )
      }
    </Loaded>
  );
}
