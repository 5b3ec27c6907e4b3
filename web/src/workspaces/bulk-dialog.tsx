/** One act on the chosen workspaces: what it needs to know, how far it is, and what became of each. */
import { Progress as Bar, Button, Modal, Select, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../projects/projects.ts';
import { common } from '../texts/common.ts';
import { bulk as text } from '../texts/workspaces.ts';
import { useFault } from '../ui/fault.tsx';
import { RequestId } from '../ui/loaded.tsx';
import { addTags, lockWorkspace, moveToProject, unlockWorkspace, workspacesChanged } from './acts.ts';
import { type Progress, type Target, useBulk } from './bulk.ts';

export type BulkAct = 'lock' | 'unlock' | 'tags' | 'move';

interface Props {
  act: BulkAct;
  organization: string;
  targets: Target[];
  onClose: () => void;
}

const titles: Record<BulkAct, (count: number) => string> = {
  lock: text.lockTitle,
  unlock: text.unlockTitle,
  tags: text.tagTitle,
  move: text.moveTitle,
};

export default function BulkDialog({ act, organization, targets, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [project, setProject] = useState<string | null>(null);
  const [fault, attempt, isMoving] = useFault();
  const [hasMoved, setMoved] = useState(false);
  const words = typed.split(/[\s,]+/).filter(Boolean);
  const bulk = useBulk(({ id }) => {
    if (act === 'lock') return lockWorkspace(id, typed);
    if (act === 'unlock') return unlockWorkspace(id);
    return addTags(id, words);
  });
  const undo = useBulk(({ id }) => unlockWorkspace(id));
  const shown = undo.hasRun ? undo.progress : bulk.progress;
  const run = async (on: Target[]) => {
    if (act === 'move') {
      const all = await attempt(() =>
        moveToProject(
          project!,
          targets.map(({ id }) => id),
        ),
      );
      setMoved(all);
    } else await bulk.run(on);
    await workspacesChanged();
  };
  const isDone = hasMoved || (bulk.hasRun && !bulk.progress.isRunning);
  const isIncomplete = (act === 'tags' && words.length === 0) || (act === 'move' && !project);
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[act](targets.length)}
      size="lg"
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        onSubmit={event => {
          event.preventDefault();
          if (!isIncomplete) void run(targets);
        }}
      >
        <div className="dialog-body">
          {!bulk.hasRun && !hasMoved && (
            <Fields
              act={act}
              organization={organization}
              typed={typed}
              onType={setTyped}
              project={project}
              onProject={setProject}
            />
          )}
          {fault}
          {hasMoved && <p role="status">{text.done(targets.length)}</p>}
          {(bulk.hasRun || undo.hasRun) && <Report progress={shown} />}
        </div>
        <div className="dialog-foot">
          {isDone && act === 'lock' && bulk.progress.done.length > 0 && !undo.hasRun && (
            <Button variant="default" onClick={() => void undo.run(bulk.progress.done).then(workspacesChanged)}>
              {text.undo}
            </Button>
          )}
          {isDone && bulk.progress.failed.length > 0 && !undo.hasRun && (
            <Button variant="default" onClick={() => void run(bulk.progress.failed.map(({ target }) => target))}>
              {text.retry(bulk.progress.failed.length)}
            </Button>
          )}
          <div className="buttons">
            <Button variant="default" onClick={bulk.progress.isRunning ? bulk.stop : onClose}>
              {bulk.progress.isRunning ? text.stop : isDone ? text.close : common.cancel}
            </Button>
            {!isDone && (
              <Button
                type="submit"
                variant="filled"
                disabled={isIncomplete}
                loading={bulk.progress.isRunning || isMoving}
              >
                {text.run[act]}
              </Button>
            )}
          </div>
        </div>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  act: BulkAct;
  organization: string;
  typed: string;
  onType: (typed: string) => void;
  project: string | null;
  onProject: (id: string | null) => void;
}

function Fields({ act, organization, typed, onType, project, onProject }: FieldsProps) {
  const projects = useQuery({ ...projectsQuery(organization), enabled: act === 'move' });
  if (act === 'unlock') return <p className="muted">{text.unlockDetail}</p>;
  if (act === 'move')
    return (
      <>
        <p className="muted">{text.moveDetail}</p>
        <Select
          label={text.project}
          data-autofocus
          searchable
          value={project}
          onChange={onProject}
          data={(projects.data ?? []).map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
        />
      </>
    );
  const [label, hint] =
    act === 'lock' ? [`${text.reason} ${common.optional}`, text.lockDetail] : [text.tagLabel, text.tagHint];
  return (
    <Textarea
      label={label}
      description={hint}
      data-autofocus
      maxLength={4096}
      value={typed}
      onChange={event => onType(event.currentTarget.value)}
    />
  );
}

function Report({ progress: { done, skipped, failed, all, isRunning } }: { progress: Progress }) {
  const count = done.length + skipped.length + failed.length;
  return (
    <div className="stack tight" role="status">
      <Bar value={(100 * count) / Math.max(all, 1)} aria-label={text.progress(count, all)} />
      <p>{isRunning ? text.progress(count, all) : text.done(done.length)}</p>
      {skipped.length > 0 && <Reasons title={text.skipped(skipped.length)} reasons={skipped} />}
      {failed.length > 0 && <Reasons title={text.failed(failed.length)} reasons={failed} />}
    </div>
  );
}

const mostReasons = 50;

function Reasons({
  title,
  reasons,
}: {
  title: string;
  reasons: { target: Target; why: string; requestId?: string | null }[];
}) {
  return (
    <details open={reasons.length <= 5}>
      <summary>{title}</summary>
      <ul className="steps">
        {reasons.slice(0, mostReasons).map(({ target, why, requestId }) => (
          <li key={target.id}>
            <span className="anywhere">
              <b>{target.name}</b> {why} {requestId && <RequestId id={requestId} />}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
