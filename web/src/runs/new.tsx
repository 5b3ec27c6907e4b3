/** Starts a run: plan and apply, plan only, refresh only, or destroy. */
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useArrival } from '../frame/arrival.ts';
import { useKeys } from '../frame/keys.ts';
import { paths } from '../paths.ts';
import { common } from '../texts/common.ts';
import { runs as text } from '../texts/runs.ts';
import { Act } from '../ui/act.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Workspace } from '../workspaces/workspaces.ts';
import { startRun } from './runs.ts';

const attributesOf: Record<string, object> = {
  apply: {},
  'plan-only': { 'plan-only': true },
  'refresh-only': { 'refresh-only': true },
  destroy: { 'is-destroy': true },
};

export function NewRun({ organization, workspace }: { organization: string; workspace: Workspace }) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState('apply');
  const [message, setMessage] = useState('');
  const close = () => {
    setOpen(false);
    setKind('apply');
  };
  const navigate = useNavigate();
  const { name, permissions } = workspace.attributes;
  useKeys({ create: () => permissions['can-queue-run'] && setOpen(true) });
  const home = paths.workspace(organization, name);
  useArrival('run', home, () => setOpen(true));
  useArrival('destroy', home, () => {
    setKind('destroy');
    setOpen(true);
  });
  const start = async () => {
    const id = await startRun(workspace.id, { ...attributesOf[kind], ...(message && { message }) });
    setOpen(false);
    await navigate({ to: paths.run(organization, name, id) });
  };
  const kinds = Object.entries(text.kinds).filter(([value]) => value !== 'destroy' || permissions['can-queue-destroy']);
  return (
    <>
      <Act
        variant="filled"
        icon="plus"
        allowed={permissions['can-queue-run']}
        isAsked={isOpen}
        missing={{
          act: 'start a run',
          permission: 'can-queue-run',
          organization,
          wish: { type: 'workspaces', id: workspace.id, action: 'can-queue-run' },
        }}
        onClick={() => setOpen(true)}
      >
        {text.create}
      </Act>
      <Dialog
        title={text.createTitle}
        opened={isOpen && permissions['can-queue-run']}
        onClose={close}
        submit={text.createSubmit}
        onSubmit={start}
        danger={kind === 'destroy'}
      >
        <div className="card" role="radiogroup" aria-label={text.kind}>
          {kinds.map(([value, [label, hint]]) => (
            <label key={value} className="choice">
              <input type="radio" name="kind" checked={kind === value} onChange={() => setKind(value)} />
              <span>
                <span className="strong">{label}</span>
                <br />
                <span className="muted">{hint}</span>
              </span>
            </label>
          ))}
        </div>
        <TextInput
          label={`${text.message} ${common.optional}`}
          value={message}
          onChange={event => setMessage(event.currentTarget.value)}
        />
      </Dialog>
    </>
  );
}
