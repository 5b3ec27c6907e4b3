/** …/states/~diff?from=&to=: what differs between two versions. Both are read here and compared in a worker. */
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { states as text } from '../texts/states.ts';
import { ChangedThing } from '../ui/comparison.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Empty } from '../ui/parts.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import type { Comparison, ItemChange, ValueChange } from './compare.ts';
import { readState, type StateVersion, stateQuery } from './states.ts';

/** Beyond this, attribute by attribute would take longer than people wait. */
const largest_bytes = 20 * 1024 * 1024;
const mostShown = 500;

export function StateDifferenceScreen() {
  const { organization, name } = useWorkspace();
  const { from = '', to = '' } = useSearch({ strict: false }) as { from?: string; to?: string };
  const older = useQuery(stateQuery(from));
  const newer = useQuery(stateQuery(to));
  const both = older.data && newer.data ? ([older.data.data, newer.data.data] as const) : null;
  const comparison = useQuery({
    queryKey: ['states', 'difference', from, to],
    enabled: both !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => compare(both![0], both![1], signal),
  });
  const failed = [older, newer, comparison].find(query => query.isError);
  return (
    <div className="stack">
      <div className="line wrap">
        <Link className="link" to={paths.states(organization, name)}>
          {text.back}
        </Link>
        <h2>{both && text.between(both[0].attributes.serial, both[1].attributes.serial)}</h2>
      </div>
      {both && isLarge(both) && <p className="notice">{text.tooLarge}</p>}
      <Loaded
        query={failed ? ({ ...comparison, isError: true, error: failed.error } as typeof comparison) : comparison}
        skeleton={<Skeleton />}
      >
        {found => <Differences comparison={found} />}
      </Loaded>
    </div>
  );
}

const isLarge = (versions: readonly StateVersion[]) =>
  versions.some(({ attributes }) => attributes.size > largest_bytes);

async function compare(older: StateVersion, newer: StateVersion, signal: AbortSignal): Promise<Comparison> {
  const [before, after] = await Promise.all([readState(older), readState(newer)]);
  const worker = new Worker(new URL('./compare.worker.ts', import.meta.url), { type: 'module' });
  signal.addEventListener('abort', () => worker.terminate());
  try {
    return await new Promise<Comparison>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<{ comparison?: Comparison; fault?: string }>) =>
        data.comparison ? resolve(data.comparison) : reject(new Error(data.fault));
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ before, after, namesOnly: isLarge([older, newer]) });
    });
  } finally {
    worker.terminate();
  }
}

function Differences({ comparison: { resources, outputs, unchanged } }: { comparison: Comparison }) {
  const count = (change: string) => resources.filter(item => item.change === change).length;
  if (resources.length + outputs.length === 0) return <Empty title={text.none}>{text.unchanged(unchanged)}</Empty>;
  return (
    <>
      <p className="muted" role="status">
        {text.counts(count('add'), count('change'), count('remove'))}. {text.unchanged(unchanged)}.
      </p>
      {resources.length > 0 && (
        <Card title={text.resources} flush>
          {resources.slice(0, mostShown).map(item => (
            <Item key={item.name} item={item} />
          ))}
        </Card>
      )}
      {outputs.length > 0 && (
        <Card title={text.outputs} flush>
          {outputs.slice(0, mostShown).map(item => (
            <Item key={item.name} item={item} />
          ))}
        </Card>
      )}
    </>
  );
}

const signs = { add: '+', change: '~', remove: '−' };

function Item({ item: { name, change, values } }: { item: ItemChange }) {
  return (
    <ChangedThing
      kind={change}
      sign={signs[change]}
      word={text.changes[change]}
      name={name}
      titles={[text.attribute, text.before, text.after]}
    >
      {values.length > 0 && values.map(value => <ValueRow key={value.path} value={value} />)}
    </ChangedThing>
  );
}

/** A sensitive value is dots until somebody asks for this one. */
function ValueRow({ value: { path, before, after, isSensitive } }: { value: ValueChange }) {
  const [isShown, setShown] = useState(!isSensitive);
  const cell = (value: unknown) => (value === undefined ? '' : isShown ? JSON.stringify(value) : '••••••');
  return (
    <tr>
      <td className="mono cut">
        {path}{' '}
        {!isShown && (
          <button type="button" className="link small" onClick={() => setShown(true)}>
            {text.reveal}
          </button>
        )}
      </td>
      <td className="mono anywhere value-cell">{cell(before)}</td>
      <td className="mono anywhere value-cell">{cell(after)}</td>
    </tr>
  );
}
