/**
 * A form over the attributes of a record: only what changed is sent, each refusal shows at its field, and what is not
 * saved is named in a bar at the foot. Before saving the record is read again: what others changed meanwhile is kept.
 */
import { Button, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiFailure, faultsByField } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Refusal } from './loaded.tsx';
import { tell } from './tell.tsx';

export type Values = Record<string, unknown>;

export interface Field<Key extends string = string> {
  /** The attribute, as the API calls it. */
  key: Key;
  label: string;
  hint?: ReactNode;
  kind: 'text' | 'lines' | 'switch' | 'choice' | 'number';
  options?: { value: string; label: string }[];
  /** Whether it can be left empty, which the API then takes as null. */
  isNullable?: boolean;
  isMono?: boolean;
}

interface Props<A extends object> {
  fields: readonly Field<keyof A & string>[];
  /** What the server holds now. */
  values: object;
  /** Reads it again, past the cache. */
  read: () => Promise<object>;
  save: (changes: A) => Promise<unknown>;
  /** Without it the fields can be read, and this says why not more. */
  mayChange: boolean;
  whyNot: ReactNode;
  children?: ReactNode;
}

interface Conflict {
  field: Field;
  before: unknown;
  now: unknown;
  mine: unknown;
}

export function RecordForm<A extends object>(props: Props<A>) {
  const { fields, read, save, mayChange, whyNot, children } = props;
  const values = props.values as Values;
  const [changes, setChanges] = useState<Values>({});
  const [before, setBefore] = useState<Values>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [conflicts, setConflicts] = useState<Conflict[]>([]);
  const changed = fields.filter(({ key }) => key in changes && !same(changes[key], values[key]));
  const faults = faultsByField(failure);
  const set = (key: string, value: unknown) => {
    setChanges({ ...changes, [key]: value });
    if (!(key in before)) setBefore({ ...before, [key]: values[key] });
  };
  const discard = () => {
    setChanges({});
    setBefore({});
    setFailure(null);
    setConflicts([]);
  };
  const send = async () => {
    setConflicts([]);
    await save(Object.fromEntries(changed.map(({ key }) => [key, changes[key]])) as A);
    discard();
    tell(common.saved);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (changed.length === 0) return;
    setBusy(true);
    setFailure(null);
    try {
      const now = (await read()) as Values;
      const met = changed.filter(({ key }) => !same(now[key], before[key]) && !same(now[key], changes[key]));
      if (met.length > 0)
        setConflicts(
          met.map(field => ({ field, before: before[field.key], now: now[field.key], mine: changes[field.key] })),
        );
      else await send();
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
      {conflicts.length > 0 && (
        <ConflictDialog
          conflicts={conflicts}
          onKeepMine={send}
          onTakeTheirs={() => {
            const rest = { ...changes };
            for (const { field } of conflicts) delete rest[field.key];
            setChanges(rest);
            setBefore({});
            setConflicts([]);
          }}
        />
      )}
    </form>
  );
}

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

interface InputProps {
  field: Field;
  value: unknown;
  error: string | undefined;
  /** Whether a dialog puts the focus here. */
  isFirst?: boolean;
  onChange: (value: unknown) => void;
}

export function FieldInput({
  field: { key, label, hint, kind, options, isNullable, isMono },
  value,
  error,
  isFirst,
  onChange,
}: InputProps) {
  const usual = {
    label,
    description: hint,
    error,
    name: key,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    'data-autofocus': isFirst || undefined,
  };
  const text = (typed: string) => onChange(isNullable && typed === '' ? null : typed);
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        description={hint}
        error={error}
        checked={value === true}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <Select
        {...usual}
        data={options ?? []}
        value={(value as string | null) ?? null}
        onChange={onChange}
        clearable={isNullable ?? false}
        searchable={(options?.length ?? 0) > 8}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        {...usual}
        hideControls
        value={(value as number | null) ?? ''}
        onChange={typed => onChange(typed === '' ? null : Number(typed))}
      />
    );
  if (kind === 'lines')
    return (
      <Textarea
        {...usual}
        minRows={2}
        value={Array.isArray(value) ? value.join('\n') : ((value as string | null) ?? '')}
        onChange={event => {
          const typed = event.currentTarget.value;
          if (Array.isArray(value)) onChange(typed === '' ? [] : typed.split('\n'));
          else text(typed);
        }}
      />
    );
  return (
    <TextInput
      {...usual}
      className={isMono ? 'mono-input' : ''}
      spellCheck={!isMono}
      value={(value as string | null) ?? ''}
      onChange={event => text(event.currentTarget.value)}
    />
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

interface ConflictProps {
  conflicts: Conflict[];
  onKeepMine: () => Promise<void>;
  onTakeTheirs: () => void;
}

function ConflictDialog({ conflicts, onKeepMine, onTakeTheirs }: ConflictProps) {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <Dialog
      title={common.conflict.title}
      opened
      onClose={onTakeTheirs}
      submit={common.conflict.keepMine}
      onSubmit={onKeepMine}
      aside={
        <Button variant="default" onClick={onTakeTheirs}>
          {common.conflict.takeTheirs}
        </Button>
      }
    >
      <p>{common.conflict.detail}</p>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{common.conflict.field}</th>
            <th scope="col">{common.conflict.mine}</th>
            <th scope="col">{common.conflict.now}</th>
            <th scope="col">{common.conflict.before}</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field, before, now, mine }) => (
            <tr key={field.key}>
              <th scope="row">{field.label}</th>
              <td className="cut">{shown(mine)}</td>
              <td className="cut">{shown(now)}</td>
              <td className="cut muted">{shown(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
