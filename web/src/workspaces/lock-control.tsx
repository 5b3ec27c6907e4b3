/** The lock as one control: what it shows follows from who holds the lock and what the caller may do. */
import { Button, Popover, Textarea } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure } from '../api/failure.ts';
import { useArrival } from '../frame/arrival.ts';
import { useKeys } from '../frame/keys.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { common, number } from '../texts/common.ts';
import { locking as text } from '../texts/workspace.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
import { lockWorkspace, unlockWorkspace, workspacesChanged } from './acts.ts';
import { ForceUnlock } from './force-unlock.tsx';
import { holderOf } from './status.tsx';
import { expectWorkspace, type WorkspaceDocument } from './workspace.ts';

interface Props {
  organization: string;
  document: WorkspaceDocument;
}

type Standing = 'open' | 'mine' | 'forceable' | 'run' | 'foreign';

export function standingOf(
  { data }: WorkspaceDocument,
  holder: ReturnType<typeof holderOf>,
  me: string | undefined,
): Standing {
  const { locked, permissions } = data.attributes;
  if (!locked) return 'open';
  if (holder?.type === 'users' && holder.id === me) return 'mine';
  // A team's token may open what it locked; whether this caller speaks for it, the server knows.
  if (holder?.type === 'teams' && permissions['can-unlock'] && !permissions['can-force-unlock']) return 'mine';
  if (permissions['can-force-unlock']) return 'forceable';
  return holder?.type === 'runs' ? 'run' : 'foreign';
}

export function LockControl({ organization, document }: Props) {
  const me = useAccount().data?.data.id;
  const holder = holderOf(document.data, document);
  const standing = standingOf(document, holder, me);
  const { name, permissions } = document.data.attributes;
  if (standing === 'open') return <LockButton organization={organization} document={document} />;
  if (standing === 'mine') return <UnlockButton organization={organization} document={document} />;
  if (standing === 'forceable') return <ForceUnlock organization={organization} document={document} />;
  if (standing === 'run' && holder)
    return (
      <Button
        component={Link}
        {...({ to: paths.run(organization, name, holder.id) } as object)}
        variant="default"
        leftSection={<Icon name="lock" />}
      >
        {text.lockedByRun}
      </Button>
    );
  return (
    <Popover width={360} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" aria-disabled="true" leftSection={<Icon name="unlock" />}>
          {text.unlock}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <WhyNotUnlock
          organization={organization}
          who={holder?.name ?? text.somebody}
          mayLock={permissions['can-lock']}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

export function WhyNotUnlock({ organization, who, mayLock }: { organization: string; who: string; mayLock: boolean }) {
  return (
    <ul className="steps">
      <li>
        <Icon name={mayLock ? 'check' : 'x'} className={mayLock ? 'good' : 'bad'} />
        <span>{mayLock ? text.mayLock : text.mayNotLock}</span>
      </li>
      <li>
        <Icon name="x" className="bad" />
        <span>{text.holds(who)}</span>
      </li>
      <li>
        <Icon name="shield" />
        <span>
          {text.force_who(organization)} <span className="mono muted">can-force-unlock</span>
        </span>
      </li>
    </ul>
  );
}

function LockButton({ organization, document }: Props) {
  const { id, attributes } = document.data;
  const { name, permissions } = attributes;
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const me = useAccount().data?.data;
  useKeys({ lock: () => permissions['can-lock'] && setOpen(true) });
  useArrival('lock', () => setOpen(true));
  const submit = async () => {
    // Shown at once, and taken back when the server refuses.
    const takeBack = expectWorkspace(organization, name, before => ({
      ...before,
      attributes: { ...before.attributes, locked: true, 'locked-reason': reason },
      relationships: {
        ...before.relationships,
        'locked-by': { data: me ? { id: me.id, type: 'users' as const } : null },
      } as typeof before.relationships,
    }));
    try {
      await lockWorkspace(id, reason);
      setOpen(false);
      setReason('');
      void workspacesChanged();
    } catch (caught) {
      takeBack();
      if (caught instanceof ApiFailure && caught.status === 409) void workspacesChanged();
      throw caught;
    }
  };
  return (
    <>
      <Act
        allowed={permissions['can-lock']}
        isAsked={isOpen}
        icon="lock"
        missing={{
          act: 'lock this workspace',
          permission: 'can-lock',
          organization,
          wish: { type: 'workspaces', id: id, action: 'can-lock' },
        }}
        onClick={() => setOpen(true)}
      >
        {text.lock}
      </Act>
      <Dialog
        title={text.lockTitle(name)}
        opened={isOpen && permissions['can-lock']}
        onClose={() => setOpen(false)}
        submit={text.submit}
        onSubmit={submit}
      >
        <p className="muted">{text.lockDetail}</p>
        <Textarea
          label={`${text.reason} ${common.optional}`}
          description={`${text.reasonHint} ${number(reason.length)} of 4,096`}
          maxLength={4096}
          data-autofocus
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
      </Dialog>
    </>
  );
}

/** Waits between the tries while the state is still being saved. */
const waits_s = [1, 2, 4, 8];

function UnlockButton({ organization, document }: Props) {
  const { id, attributes } = document.data;
  const { name } = attributes;
  const [wait_s, setWait] = useState<number | null>(null);
  const [isStopped, stop] = useState({ now: false });
  const unlock = async () => {
    isStopped.now = false;
    const takeBack = expectWorkspace(organization, name, before => ({
      ...before,
      attributes: { ...before.attributes, locked: false, 'locked-reason': null },
    }));
    try {
      for (let attempt = 0; ; attempt += 1) {
        try {
          await unlockWorkspace(id);
          break;
        } catch (caught) {
          const isPending = caught instanceof ApiFailure && caught.status === 503 && waits_s[attempt] !== undefined;
          if (!isPending || isStopped.now) throw caught;
          await countDown(waits_s[attempt]!, setWait);
        }
      }
      tell(text.nowOpen(name), {
        label: text.relock,
        onClick: () => void lockWorkspace(id, attributes['locked-reason'] ?? '').then(workspacesChanged, tellFailure),
      });
    } catch (caught) {
      takeBack();
      tellFailure(caught);
    } finally {
      setWait(null);
      void workspacesChanged();
    }
  };
  useKeys({ unlock: () => void unlock() });
  useArrival('unlock', () => void unlock());
  if (wait_s !== null)
    return (
      <span className="line">
        <span role="status">{text.pending(wait_s)}</span>
        <Button
          variant="default"
          onClick={() => {
            isStopped.now = true;
            stop({ now: true });
          }}
        >
          {text.stop}
        </Button>
      </span>
    );
  return (
    <Button variant="default" leftSection={<Icon name="unlock" />} onClick={() => void unlock()}>
      {text.unlock}
    </Button>
  );
}

async function countDown(seconds: number, show: (left: number) => void): Promise<void> {
  for (let left = seconds; left > 0; left -= 1) {
    show(left);
    await new Promise(resolve => setTimeout(resolve, 1000));
  }
}
