/** The lock as one control: what it shows follows from who holds the lock and what the caller may do. */
import { Button, Popover } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useArrival } from '../frame/arrival.ts';
import { useKeys } from '../frame/keys.ts';
import { paths } from '../paths.ts';
import { useAccount } from '../session/account.ts';
import { locking as text } from '../texts/workspace.ts';
import { Act } from '../ui/act.tsx';
import { Icon } from '../ui/icon.tsx';
import { ForceUnlock } from './force-unlock.tsx';
import { LockDialog } from './lock-dialog.tsx';
import { holderOf } from './status.tsx';
import { type Unlocking, useUnlocking } from './unlocking.ts';
import type { WorkspaceDocument } from './workspace.ts';

interface Props {
  organization: string;
  document: WorkspaceDocument;
}

type Standing = 'open' | 'mine' | 'forceable' | 'run' | 'foreign';

export function useStanding(document: WorkspaceDocument): Standing {
  const me = useAccount().data?.data.id;
  const { locked, permissions } = document.data.attributes;
  const holder = holderOf(document.data, document);
  if (!locked) return 'open';
  if (holder?.type === 'users' && holder.id === me) return 'mine';
  // A team's token may open what it locked; whether this caller speaks for it, the server knows.
  if (holder?.type === 'teams' && permissions['can-unlock'] && !permissions['can-force-unlock']) return 'mine';
  if (permissions['can-force-unlock']) return 'forceable';
  return holder?.type === 'runs' ? 'run' : 'foreign';
}

/** The dialog and the unlocking outlast the control: while they are under way, who holds the lock changes. */
export function LockControl({ organization, document }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [isAsking, setAsking] = useState(false);
  const unlocking = useUnlocking(organization, document);
  const standing = useStanding(document);
  const shown = unlocking.wait_s === null ? standing : 'waiting';
  const before = useRef(shown);
  // What was pressed is gone with what it did: the focus goes to what stands there now.
  useEffect(() => {
    const { activeElement, body } = window.document;
    if (before.current !== shown && !isAsking && activeElement === body)
      place.current?.querySelector<HTMLElement>('button, a')?.focus({ preventScroll: true });
    if (!isAsking) before.current = shown;
  }, [shown, isAsking]);
  return (
    <span className="lock-control" ref={place}>
      <Control
        organization={organization}
        document={document}
        standing={standing}
        unlocking={unlocking}
        isAsking={isAsking}
        onLock={() => setAsking(true)}
      />
      <LockDialog organization={organization} document={document} isOpen={isAsking} setOpen={setAsking} />
    </span>
  );
}

interface ControlProps extends Props {
  standing: Standing;
  unlocking: Unlocking;
  isAsking: boolean;
  onLock: () => void;
}

function Control({ organization, document, standing, unlocking, isAsking, onLock }: ControlProps) {
  const holder = holderOf(document.data, document);
  const { name, permissions } = document.data.attributes;
  if (unlocking.wait_s !== null) return <Waits unlocking={unlocking} wait_s={unlocking.wait_s} />;
  if (standing === 'open')
    return <LockButton organization={organization} document={document} isAsking={isAsking} onLock={onLock} />;
  if (standing === 'mine') return <UnlockButton home={paths.workspace(organization, name)} unlock={unlocking.unlock} />;
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
    <Popover width={360} position="bottom-end" trapFocus>
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

type LockProps = Omit<ControlProps, 'standing' | 'unlocking'>;

function LockButton({ organization, document, isAsking, onLock }: LockProps) {
  const { id, attributes } = document.data;
  const allowed = attributes.permissions['can-lock'];
  useKeys({ lock: () => allowed && onLock() });
  useArrival('lock', paths.workspace(organization, attributes.name), onLock);
  return (
    <Act
      allowed={allowed}
      isAsked={isAsking}
      icon="lock"
      missing={{
        act: 'lock this workspace',
        permission: 'can-lock',
        organization,
        wish: { type: 'workspaces', id, action: 'can-lock' },
      }}
      onClick={onLock}
    >
      {text.lock}
    </Act>
  );
}

function UnlockButton({ home, unlock }: { home: string; unlock: () => void }) {
  useKeys({ unlock });
  useArrival('unlock', home, unlock);
  return (
    <Button variant="default" leftSection={<Icon name="unlock" />} onClick={unlock}>
      {text.unlock}
    </Button>
  );
}

function Waits({ unlocking, wait_s }: { unlocking: Unlocking; wait_s: number }) {
  return (
    <span className="line">
      <span role="status">{text.pending(wait_s)}</span>
      <Button variant="default" onClick={unlocking.stop}>
        {text.stop}
      </Button>
    </span>
  );
}
