/** Confirm, discard, cancel, run next and force cancel: each is there only when the run is where it can be done. */
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { answer, api, type Resource } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { runs as text } from '../texts/runs.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useFault } from '../ui/fault.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card } from '../ui/parts.tsx';
import { saveFile } from '../ui/save-file.ts';
import { tell, tellFailure } from '../ui/tell.tsx';
import { PlanCounts } from '../workspaces/plan-counts.tsx';
import { planContentsQuery } from './plan-changes.tsx';
import { actOnRun, type Run } from './runs.ts';

type Flags = Record<string, boolean>;
export const may = ({ attributes }: Run, action: string, permission: string) =>
  Boolean((attributes.actions as Flags)[action] && (attributes.permissions as Flags)[permission]);

export function RunActs({ run }: { run: Run }) {
  const [isForcing, setForcing] = useState(false);
  const [isNext, setNext] = useState(false);
  const mayBeNext = run.attributes.status === 'pending' && run.attributes.permissions['can-force-execute'];
  const act = (name: 'discard' | 'cancel') => void actOnRun(run.id, name, '').catch(tellFailure);
  const wait_s = useSecondsUntil(run.attributes['force-cancel-available-at']);
  return (
    <span className="line">
      {may(run, 'is-discardable', 'can-discard') && (
        <Button variant="default" onClick={() => act('discard')}>
          {text.discard}
        </Button>
      )}
      {may(run, 'is-cancelable', 'can-cancel') && (
        <Button variant="default" onClick={() => act('cancel')}>
          {text.cancel}
        </Button>
      )}
      {mayBeNext && (
        <Button variant="default" onClick={() => setNext(true)}>
          {text.next}
        </Button>
      )}
      {wait_s > 0 && <span className="muted">{text.forceLater(wait_s)}</span>}
      {may(run, 'is-force-cancelable', 'can-force-cancel') && (
        <Button variant="danger-outline" onClick={() => setForcing(true)}>
          {text.force}
        </Button>
      )}
      <Dialog
        danger
        title={text.nextTitle}
        opened={isNext}
        onClose={() => setNext(false)}
        submit={text.nextSubmit}
        onSubmit={() => actOnRun(run.id, 'force-execute', '').then(() => setNext(false))}
      >
        <p>{text.nextDetail}</p>
      </Dialog>
      <Dialog
        danger
        title={text.forceTitle}
        opened={isForcing}
        onClose={() => setForcing(false)}
        submit={text.forceSubmit}
        onSubmit={() => actOnRun(run.id, 'force-cancel', '').then(() => setForcing(false))}
      >
        <p>{text.forceDetail}</p>
      </Dialog>
    </span>
  );
}

/** What an apply could not save, for whoever brings the state in order. Most that fail have saved theirs. */
export function LeftState({ applyId, runId }: { applyId: string; runId: string }) {
  const download = async () => {
    const contents = await answer(
      api.GET('/applies/{apply_id}/errored-state', { params: { path: { apply_id: applyId } }, parseAs: 'blob' }),
    );
    saveFile(contents as unknown as Blob, `${runId}.tfstate`);
  };
  const none = (caught: unknown) =>
    caught instanceof ApiFailure && caught.status === 404 ? tell(text.leftNone) : tellFailure(caught);
  return (
    <div>
      <Button variant="default" leftSection={<Icon name="download" />} onClick={() => void download().catch(none)}>
        {text.left}
      </Button>
    </div>
  );
}

function useSecondsUntil(at: string | null): number {
  const left = () => (at ? Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 1000)) : 0);
  const [seconds, setSeconds] = useState(left);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the point in time is what counts.
  useEffect(() => {
    setSeconds(left());
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [at]);
  return seconds;
}

/** The decision: what would happen, what is lost named above the button, and a comment that stays with the run. */
export function RunDecision({ run, plan }: { run: Run; plan: Resource<'plans'> | undefined }) {
  const [comment, setComment] = useState('');
  const [fault, attempt, isBusy] = useFault();
  const { data: contents } = useQuery(planContentsQuery(plan?.id, plan?.attributes.status === 'finished'));
  if (!may(run, 'is-confirmable', 'can-apply')) return null;
  const lost = (contents?.resources ?? []).filter(({ action }) => action === 'delete' || action === 'replace');
  return (
    <Card title={text.decision}>
      <form
        className="stack tight"
        onSubmit={event => {
          event.preventDefault();
          void attempt(() => actOnRun(run.id, 'apply', comment));
        }}
      >
        {plan && <PlanCounts plan={plan} />}
        {lost.length > 0 && (
          <ul className="steps danger-text">
            {lost.slice(0, 20).map(({ address, action }) => (
              <li key={address}>
                <Icon name="warning" />
                <span>
                  <span className="mono anywhere">{address}</span> {action === 'delete' ? text.destroys : text.replaces}
                </span>
              </li>
            ))}
          </ul>
        )}
        {fault}
        <div className="line wrap">
          <TextInput
            className="sentence"
            aria-label={text.comment}
            placeholder={text.comment}
            value={comment}
            onChange={event => setComment(event.currentTarget.value)}
          />
          <Button type="submit" variant="filled" loading={isBusy} leftSection={<Icon name="check" />}>
            {text.confirm}
          </Button>
        </div>
      </form>
    </Card>
  );
}
