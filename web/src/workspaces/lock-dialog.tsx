/** Asks for a reason, and locks: shown at once. When somebody was faster it comes back, with the reason still in it. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useAccount } from '../session/account.ts';
import { common, number } from '../texts/common.ts';
import { locking as text } from '../texts/workspace.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Refusal } from '../ui/loaded.tsx';
import { lockWorkspace, workspacesChanged } from './acts.ts';
import { holderOf } from './status.tsx';
import { expectWorkspace, type WorkspaceDocument } from './workspace.ts';

interface Props {
  organization: string;
  document: WorkspaceDocument;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

const longestReason = 4096;

export function LockDialog({ organization, document, isOpen, setOpen }: Props) {
  const { id, attributes } = document.data;
  const { name, locked, permissions } = attributes;
  const [reason, setReason] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const me = useAccount().data?.data;
  const close = () => {
    setOpen(false);
    setFailure(null);
  };
  const submit = async () => {
    close();
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
      setReason('');
    } catch (caught) {
      takeBack();
      setFailure(caught);
      setOpen(true);
    }
    void workspacesChanged();
  };
  return (
    <Dialog
      title={text.lockTitle(name)}
      opened={isOpen && permissions['can-lock']}
      onClose={close}
      submit={text.submit}
      submitDisabled={locked}
      onSubmit={submit}
    >
      {locked ? (
        <div className="notice" data-kind="locked" role="alert">
          <Icon name="lock" />
          <p>{text.tookIt(holderOf(document.data, document)?.name ?? text.somebody)}</p>
        </div>
      ) : (
        <p className="muted">{text.lockDetail}</p>
      )}
      <Textarea
        label={`${text.reason} ${common.optional}`}
        description={`${text.reasonHint} ${number(reason.length)} of ${number(longestReason)}`}
        maxLength={longestReason}
        data-autofocus
        value={reason}
        onChange={event => setReason(event.currentTarget.value)}
      />
      {failure !== null && !locked && <Refusal failure={failure} />}
    </Dialog>
  );
}
