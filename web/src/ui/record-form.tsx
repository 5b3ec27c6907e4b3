/**
 * A form over the attributes of a record: only what changed is sent, each refusal shows at its field, and what is not
 * saved is named in a bar at the foot. Before saving the record is read again: what others changed meanwhile is kept.
 */
import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiFailure, faultsByField } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { Dialog } from './dialog.tsx';
import { type Field, FieldInput, wordsOf } from './field.tsx';
import { Icon } from './icon.tsx';
import { Refusal } from './loaded.tsx';
import { type Meant, type Reading, same, useSaving, type Values } from './saving.tsx';
import { tell } from './tell.tsx';

interface Props<A extends object> {
  fields: readonly Field<keyof A & string>[];
  /** What the server holds now. */
  values: object;
  /** Reads it again, past the cache. */
  read: () => Promise<Reading>;
  save: (changes: A, meant: Meant) => Promise<unknown>;
  /** Without it the fields can be read, and this says why not more. */
  mayChange: boolean;
  whyNot: ReactNode;
  children?: ReactNode;
}

export function RecordForm<A extends object>(props: Props<A>) {
  const { fields, read, save, mayChange, whyNot, children } = props;
  const values = props.values as Values;
  const [changes, setChanges] = useState<Values>({});
  const [before, setBefore] = useState<Values>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [send, conflict] = useSaving<A>({ ...wordsOf(fields), read, save });
  const changed = fields.filter(({ key }) => key in changes && !same(changes[key], values[key]));
  const faults = faultsByField(failure);
  const set = (key: string, value: unknown) => {
    if (!(key in changes)) setBefore({ ...before, [key]: values[key] });
    setChanges({ ...changes, [key]: value });
  };
  const discard = () => {
    setChanges({});
    setFailure(null);
  };
  /** What was typed while it was being saved is still to be saved. */
  const settle = (sent: Values) => {
    const isLeft = ([key, value]: [string, unknown]) => !(key in sent) || !same(value, sent[key]);
    setChanges(now => Object.fromEntries(Object.entries(now).filter(isLeft)));
    setBefore(now => ({ ...now, ...sent }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (changed.length === 0) return;
    setBusy(true);
    setFailure(null);
    try {
      const mine = Object.fromEntries(changed.map(({ key }) => [key, changes[key]]));
      const saved = await send(before, mine as A);
      if (saved === null) return;
      settle(mine);
      if (Object.keys(saved).length > 0) tell(common.saved);
    } catch (caught) {
      setFailure(caught);
    } finally {
      setBusy(false);
    }
  };
  const isAtFields = failure instanceof ApiFailure && failure.status === 422 && fields.some(({ key }) => faults[key]);
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {!mayChange && (
        <div className="notice">
          <Icon name="info" />
          <div>{whyNot}</div>
        </div>
      )}
      <fieldset className="form" disabled={!mayChange}>
        {fields.map(field => (
          <FieldInput
            key={field.key}
            field={field}
            value={field.key in changes ? changes[field.key] : values[field.key]}
            error={faults[field.key]}
            onChange={value => set(field.key, value)}
          />
        ))}
        {children}
      </fieldset>
      {failure !== null && !isAtFields && <Refusal failure={failure} />}
      {changed.length > 0 && (
        <div className="save-bar">
          <span className="grow" role="status">
            {common.unsaved(changed.map(({ label }) => label).join(', '))}
          </span>
          <Button variant="default" onClick={discard}>
            {common.discard}
          </Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {common.saveChanges}
          </Button>
        </div>
      )}
      <LeaveGuard isDirty={changed.length > 0} />
      {conflict}
    </form>
  );
}

/** Leaving with changes asks first; closing the tab asks in the browser's own words. */
function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: isDirty, withResolver: true });
  return (
    <Dialog
      title={common.leave}
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      submit={common.leaveAnyway}
      onSubmit={() => blocker.proceed?.()}
    >
      <p>{common.leaveDetail}</p>
    </Dialog>
  );
}
