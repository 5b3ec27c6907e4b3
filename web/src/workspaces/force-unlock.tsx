/** Opens somebody else's lock: who holds it, what is lost, and what starts at once. The focus is on Cancel. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { useArrival } from '../frame/arrival.ts';
import { paths } from '../paths.ts';
import { common } from '../texts/common.ts';
import { locking as text } from '../texts/workspace.ts';
import { useCopy } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Avatar } from '../ui/parts.tsx';
import { tell } from '../ui/tell.tsx';
import { forceUnlockWorkspace, workspacesChanged } from './acts.ts';
import { holderOf } from './status.tsx';
import type { WorkspaceDocument } from './workspace.ts';

export function ForceUnlock({ organization, document }: { organization: string; document: WorkspaceDocument }) {
  const [isOpen, setOpen] = useState(false);
  const [copied, copy] = useCopy();
  const { id, attributes } = document.data;
  const holder = holderOf(document.data, document);
  const isRun = holder?.type === 'runs';
  const who = isRun ? text.theRun : (holder?.name ?? text.somebody);
  const { name } = attributes;
  useArrival('unlock', paths.workspace(organization, name), () => setOpen(true));
  const submit = async () => {
    await forceUnlockWorkspace(id);
    setOpen(false);
    tell(text.nowOpen(name));
    void workspacesChanged();
  };
  return (
    <>
      <Button variant="danger-outline" leftSection={<Icon name="unlock" />} onClick={() => setOpen(true)}>
        {text.force}
      </Button>
      <Dialog
        danger
        title={text.forceTitle(name)}
        opened={isOpen}
        onClose={() => setOpen(false)}
        submit={text.forceSubmit}
        onSubmit={submit}
        aside={
          !isRun && (
            <Button
              variant="subtle"
              leftSection={<Icon name="copy" />}
              onClick={() => copy(text.message(name, window.location.href))}
            >
              {copied ? common.copied : text.copyMessage(who)}
            </Button>
          )
        }
      >
        <div className="notice" data-kind="locked">
          {isRun ? <Icon name="runs" /> : <Avatar name={who} id={holder?.id ?? ''} />}
          <div>
            {isRun ? (
              <Link className="link strong" to={paths.run(organization, name, holder.id)}>
                {text.lockedByRun}
              </Link>
            ) : (
              <p className="strong">{text.lockedBy(who)}</p>
            )}
            {attributes['locked-reason'] && <p className="muted anywhere">{attributes['locked-reason']}</p>}
          </div>
        </div>
        <h3>{text.forceHead}</h3>
        <ul className="steps">
          <li>
            <Icon name="unlock" />
            <span>{isRun ? text.forceLosesRun : text.forceLoses(who)}</span>
          </li>
          <li>
            <Icon name="trash" />
            <span>{text.forceDiscards}</span>
          </li>
          <li>
            <Icon name="runs" />
            <WaitingRun organization={organization} name={name} id={id} />
          </li>
          <li>
            <Icon name="audit" />
            <span>{text.forceAudit(who)}</span>
          </li>
        </ul>
      </Dialog>
    </>
  );
}

/** The run that the lock holds back: the oldest that is pending. */
function WaitingRun({ organization, name, id }: { organization: string; name: string; id: string }) {
  const { data } = useQuery({
    queryKey: ['runs', organization, 'waiting', id],
    queryFn: () =>
      answer(
        api.GET('/workspaces/{workspace_id}/runs', {
          params: { path: { workspace_id: id }, query: { 'filter[status]': ['pending'], 'page[size]': 100 } as object },
        }),
      ),
  });
  const run = data?.data.at(-1);
  if (!run) return <span>{text.forceStartsNothing}</span>;
  return (
    <span>
      {text.forceStarts}{' '}
      <Link className="link mono" to={paths.run(organization, name, run.id)}>
        {run.id}
      </Link>
    </span>
  );
}
