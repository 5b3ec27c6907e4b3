/** /<org>/runs/~queue: what is at work and what waits, in the order in which it begins; of one agent pool, too. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { agentPoolsQuery } from '../agent-pools/agent-pools.ts';
import { useLive } from '../frame/live.tsx';
import { at, paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import { runs as text } from '../texts/runs.ts';
import type { Column, RowsProps } from '../ui/rows.tsx';
import { Rows } from '../ui/rows.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { may } from './acts.tsx';
import { runColumns, runName, runPath } from './columns.tsx';
import { OrganizationRuns } from './layout.tsx';
import { actOnRun, type Run, runQueueQuery } from './runs.ts';

export function RunQueueScreen() {
  const { organization } = useParams({ strict: false }) as { organization: string };
  const { pool, page = 1 } = useSearch({ strict: false }) as { pool?: string; page?: number };
  const navigate = useNavigate();
  const pools = useQuery(agentPoolsQuery(organization));
  const names = (pools.data ?? []).map(({ attributes }) => attributes.name);
  const go = (search: { pool?: string; page?: number }) =>
    void navigate({ ...at(paths.runQueue(organization), search), replace: true });
  const queue = useRunQueue(organization, pool, Number(page) || 1);
  useLive(queue.query);
  return (
    <OrganizationRuns organization={organization}>
      {names.length > 0 && (
        <div className="line wrap bottom-space">
          <Select
            aria-label={text.queue.pool}
            placeholder={text.queue.anyPool}
            clearable
            data={[...new Set([...names, ...(pool ? [pool] : [])])]}
            value={pool ?? null}
            onChange={chosen => go(chosen ? { pool: chosen } : {})}
          />
        </div>
      )}
      <div className="card">
        <Rows
          {...queue}
          caption={text.queue.caption(pool ?? organization)}
          expected={8}
          href={run => runPath(organization, queue.query.data, run)}
          onPage={to => go({ ...(pool && { pool }), page: to })}
        />
      </div>
    </OrganizationRuns>
  );
}

/** The rows of a queue, for whichever card they stand in. */
export function useRunQueue(organization: string, pool: string | undefined, page: number) {
  const query = useQuery(runQueueQuery(organization, pool, page));
  const [run, ...rest] = runColumns(organization, query.data);
  return {
    query,
    columns: [run!, place, ...rest.filter(({ title }) => title !== text.columns.source)],
    none: { title: text.queue.none, detail: text.queue.noneDetail },
    nameOf: runName,
    acts: actsOf,
  } satisfies RowsProps<Run>;
}

const place: Column<Run> = {
  title: text.queue.position,
  width: 'eighth',
  cell: ({ attributes: { 'position-in-queue': position } }) =>
    position > 0 ? number(position) : <span className="muted">{text.queue.atWork}</span>,
};

const actsOf = (run: Run) =>
  may(run, 'is-cancelable', 'can-cancel')
    ? [
        {
          label: text.cancelThis(runName(run)),
          icon: 'x' as const,
          onClick: () => void actOnRun(run.id, 'cancel', '').catch(tellFailure),
        },
      ]
    : [];
