/** How long old versions are kept: as above, for ever, or a number of days. */
import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { BodyOf, Resource } from '../api/client.ts';
import { common } from '../texts/common.ts';
import { settings } from '../texts/settings.ts';
import { useFault } from '../ui/fault.tsx';
import { tell } from '../ui/tell.tsx';

/** As it is sent. */
export type Policy = BodyOf<'/workspaces/{workspace_id}/relationships/data-retention-policy', 'post'>;

interface Props {
  policy: Resource<'data-retention-policies'> | null;
  mayChange: boolean;
  mayInherit: boolean;
  /** Null takes the policy away, so that what stands above holds. */
  onSave: (policy: Policy | null) => Promise<void>;
}

type Choice = 'inherit' | 'forever' | 'older';
const text = settings.retention;

export function RetentionForm({ policy, mayChange, mayInherit, onSave }: Props) {
  const kept_days = policy?.attributes?.['delete-older-than-n-days'] ?? null;
  const [choice, setChoice] = useState<Choice>(policy === null ? 'inherit' : kept_days === null ? 'forever' : 'older');
  const [days, setDays] = useState<number>(kept_days ?? 90);
  const [fault, attempt, isBusy] = useFault();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const chosen: Record<Choice, Policy | null> = {
      inherit: null,
      forever: { type: 'data-retention-policy-dont-deletes' },
      older: { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': days } },
    };
    if (await attempt(() => onSave(chosen[choice]))) tell(common.saved);
  };
  const choices: [Choice, string][] = [
    ['inherit', mayInherit ? text.inherit : text.forever],
    ...(mayInherit ? [['forever', text.forever] as [Choice, string]] : []),
    ['older', text.older],
  ];
  return (
    <form className="form" onSubmit={event => void submit(event)}>
      <p className="muted">
        {text.detail} {policy && text.current(kept_days)}
      </p>
      <fieldset className="stack tight" disabled={!mayChange} aria-label={settings.pages.retention}>
        {choices.map(([value, label]) => (
          <label key={value} className="line">
            <input type="radio" name="retention" checked={choice === value} onChange={() => setChoice(value)} />
            {label}
          </label>
        ))}
        {choice === 'older' && (
          <NumberInput
            label={text.days}
            hideControls
            min={1}
            max={36_500}
            value={days}
            onChange={typed => setDays(Number(typed))}
          />
        )}
      </fieldset>
      {fault}
      {mayChange ? (
        <div>
          <Button type="submit" variant="filled" loading={isBusy}>
            {text.save}
          </Button>
        </div>
      ) : (
        <p className="muted">{settings.noAdmin}</p>
      )}
    </form>
  );
}
