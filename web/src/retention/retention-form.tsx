/** How long old versions are kept: as above, for ever, or a number of days. */
import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type BodyOf, type Resource, tagOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { settings } from '../texts/settings.ts';
import { useFault } from '../ui/fault.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Empty } from '../ui/parts.tsx';
import { type Meant, type Reading, useSaving } from '../ui/saving.tsx';
import { tell } from '../ui/tell.tsx';

/** As it is sent. */
export type Policy = BodyOf<'/workspaces/{workspace_id}/relationships/data-retention-policy', 'post'>;
type Document = { data: Resource<'data-retention-policies'> };

export interface Retention {
  title: string;
  /** Whose policy it is. Another one that holds here is the default of what stands above. */
  holder: 'workspaces' | 'organizations';
  /** Whether this edition has policies at all. */
  isThere: boolean;
  mayChange: boolean;
  queryKey: readonly string[];
  /** The policy in effect; a failure of status 404 where there is none. */
  read: () => Promise<Document>;
  set: (policy: Policy, meant: Meant) => Promise<unknown>;
  /** So that what stands above holds. */
  remove: (meant: Meant) => Promise<unknown>;
}

const text = settings.retention;

export function RetentionCard({ title, isThere, queryKey, read, ...form }: Retention) {
  const query = useQuery({ queryKey, enabled: isThere, queryFn: () => orNone(read()) });
  if (!isThere) return <Empty title={text.absent} />;
  return (
    <Card title={title}>
      <Loaded query={query} skeleton={<Skeleton rows={3} />}>
        {policy => <RetentionForm {...form} policy={policy} read={() => orNone(read())} />}
      </Loaded>
    </Card>
  );
}

async function orNone(asked: Promise<Document>): Promise<Document | null> {
  try {
    return await asked;
  } catch (caught) {
    if (caught instanceof ApiFailure && caught.status === 404) return null;
    throw caught;
  }
}

/** Nothing of its own, kept for ever, or so many days. */
type Kept = 'default' | 'forever' | number;

function keptBy(policy: Document | null, holder: Retention['holder']): Kept {
  if (policy?.data.relationships?.target?.data?.type !== holder) return 'default';
  return policy.data.attributes?.['delete-older-than-n-days'] ?? 'forever';
}

const bodyOf = (kept: Exclude<Kept, 'default'>): Policy =>
  kept === 'forever'
    ? { type: 'data-retention-policy-dont-deletes' }
    : { type: 'data-retention-policy-delete-olders', attributes: { 'delete-older-than-n-days': kept } };

interface FormProps extends Pick<Retention, 'holder' | 'mayChange' | 'set' | 'remove'> {
  policy: Document | null;
  read: () => Promise<Document | null>;
}

function RetentionForm({ policy, holder, mayChange, read, set, remove }: FormProps) {
  const held = keptBy(policy, holder);
  const [before, setBefore] = useState(held);
  const [chosen, setChosen] = useState<Kept>(held);
  const [days, setDays] = useState(typeof held === 'number' ? held : 90);
  const [fault, attempt, isBusy] = useFault();
  const words = (kept: Kept) =>
    typeof kept === 'number' ? text.olderThan(kept) : kept === 'default' ? text.defaults[holder] : text.forever;
  const [send, conflict] = useSaving<{ kept: Kept }>({
    labelOf: () => settings.pages.retention,
    wordOf: (_key, kept) => words(kept as Kept),
    read: async (): Promise<Reading> => {
      const now = await read();
      return { values: { kept: keptBy(now, holder) }, tag: now ? tagOf(now) : undefined };
    },
    save: ({ kept }, meant) => (kept === 'default' ? remove(meant) : set(bodyOf(kept), meant)),
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const kept = typeof chosen === 'number' ? days : chosen;
    await attempt(async () => {
      const saved = await send({ kept: before }, { kept });
      if (saved === null) return;
      const stands = saved.kept ?? keptBy(await read(), holder);
      setBefore(stands);
      setChosen(stands);
      if (typeof stands === 'number') setDays(stands);
      if (saved.kept !== undefined) tell(common.saved);
    });
  };
  const choices: [Kept, string][] = [
    ['default', text.defaults[holder]],
    // For an organization both say the same: the second is offered where a client has said it.
    ...(holder === 'workspaces' || held === 'forever' ? [['forever', text.forever] as [Kept, string]] : []),
    [days, text.older],
  ];
  return (
    <form className="form" onSubmit={event => void submit(event)}>
      <p className="muted">
        {text.detail} {policy && text.current(policy.data.attributes?.['delete-older-than-n-days'] ?? null)}
      </p>
      <fieldset className="stack tight" disabled={!mayChange} aria-label={settings.pages.retention}>
        {choices.map(([kept, label]) => (
          <label key={label} className="line">
            <input
              type="radio"
              name="retention"
              checked={typeof kept === 'number' ? typeof chosen === 'number' : chosen === kept}
              onChange={() => setChosen(kept)}
            />
            {label}
          </label>
        ))}
        {typeof chosen === 'number' && (
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
      {conflict}
    </form>
  );
}
