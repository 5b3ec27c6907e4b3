/** What a plan would change, resource by resource. Where there is no structure, nothing stands here: the log says it. */
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';
import { number } from '../texts/common.ts';
import { runs as text } from '../texts/runs.ts';
import { ChangedThing } from '../ui/comparison.tsx';
import { type ChangedValue, contentsOf, type PlanContents, type PlanFile, type ResourceChange } from './changes.ts';

export const planContentsQuery = (planId: string | undefined, isFinished: boolean) => ({
  queryKey: ['plans', planId, 'contents'],
  enabled: planId !== undefined && isFinished,
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: async (): Promise<PlanContents> => {
    const found = await answer(
      api.GET('/plans/{plan_id}/json-output-redacted', { params: { path: { plan_id: planId! } } }),
    );
    return contentsOf((found ?? {}) as unknown as PlanFile);
  },
});

type Tab = 'resources' | 'outputs' | 'drift';
const tabs: [Tab, string][] = [
  ['resources', text.changes],
  ['outputs', text.outputs],
  ['drift', text.drift],
];
const mostShown = 500;

export function PlanChanges({ planId, isFinished }: { planId: string | undefined; isFinished: boolean }) {
  const { data } = useQuery(planContentsQuery(planId, isFinished));
  const [tab, setTab] = useState<Tab>('resources');
  const [typed, setTyped] = useState('');
  if (!data) return null;
  const rows = data[tab].filter(({ address }) => address.includes(typed.trim()));
  return (
    <section className="card" aria-label={text.changes}>
      <header className="tabbed">
        <div className="tabs grow" role="tablist">
          {tabs.map(([name, label]) => (
            <button key={name} type="button" role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
              {label}
              <span className="count">{number(data[name].length)}</span>
            </button>
          ))}
        </div>
        <TextInput
          aria-label={text.filterByAddress}
          placeholder={text.filterByAddress}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
      </header>
      {rows.length === 0 && <p className="card-body muted">{text.noChanges}</p>}
      {rows.slice(0, mostShown).map(change => (
        <Change key={change.address} change={change} />
      ))}
    </section>
  );
}

const signs = {
  create: ['add', '+'],
  update: ['change', '~'],
  delete: ['remove', '−'],
  replace: ['replace', '±'],
  read: ['read', '←'],
  'no-op': ['read', ' '],
} as const;

function Change({ change: { address, action, values } }: { change: ResourceChange }) {
  const [kind, sign] = signs[action];
  return (
    <ChangedThing
      kind={kind}
      sign={sign}
      word={text.actions[action]}
      name={address}
      isOpen={action === 'replace'}
      titles={[text.attribute, text.now, text.after]}
    >
      {values.map(value => (
        <ValueRow key={value.path} value={value} />
      ))}
    </ChangedThing>
  );
}

function ValueRow({ value: { path, before, after, isKnown, isSensitive, forces } }: { value: ChangedValue }) {
  const cell = (value: unknown) =>
    isSensitive ? <span className="faint">{text.sensitive}</span> : value === null ? '' : JSON.stringify(value);
  return (
    <tr>
      <td className="mono anywhere">{path}</td>
      <td className="mono anywhere value-cell bad">{cell(before)}</td>
      <td className="mono anywhere value-cell good">
        {isKnown ? cell(after) : <span className="faint">{text.known}</span>}{' '}
        {forces && <span className="forces">{text.forces}</span>}
      </td>
    </tr>
  );
}
