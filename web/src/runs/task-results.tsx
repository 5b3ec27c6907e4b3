/** What run tasks said of a run, at each point at which they were asked. */
import { useQuery } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { type Included, included } from '../api/documents.ts';
import { live_ms } from '../api/live.ts';
import { taskResults as text, workspaceTasks } from '../texts/run-tasks.ts';
import { Outside } from '../ui/outside.tsx';
import { Card } from '../ui/parts.tsx';

type Stage = Resource<'task-stages'>;
type Result = Resource<'task-results'>;
interface StageList {
  data: Stage[];
  included?: Included[];
}

const isOpen = ({ attributes: { status } }: Stage) => status === 'pending' || status === 'running';

/** Their answers come from outside, and the feed of changes does not tell of them. */
const stagesQuery = (runId: string, status: string) => ({
  queryKey: ['runs', 'one', runId, 'task-stages', status],
  placeholderData: (before: StageList | undefined) => before,
  refetchInterval: (query: { state: { data: StageList | undefined } }) =>
    query.state.data?.data.some(isOpen) ? live_ms.running : (false as const),
  queryFn: async () =>
    (await answer(
      api.GET('/runs/{run_id}/task-stages', {
        params: { path: { run_id: runId }, query: { 'page[size]': 100, include: ['task_results'] } },
      }),
    )) as StageList,
});

/** `status` is the run's: at each step of it a stage may have begun. */
export function TaskResults({ runId, status }: { runId: string; status: string }) {
  const { data: list } = useQuery(stagesQuery(runId, status));
  if (!list || list.data.length === 0) return null;
  return (
    <Card title={text.title} flush>
      {list.data.map(stage => (
        <section
          key={stage.id}
          className="card-row stack tight"
          aria-label={workspaceTasks.stages[stage.attributes.stage]}
        >
          <h3>{workspaceTasks.stages[stage.attributes.stage]}</h3>
          <ul className="stack tight">
            {stage.relationships['task-results'].data.map(link => {
              const result = included(list, { data: link }, 'task-results');
              return result && <ResultRow key={result.id} result={result} />;
            })}
          </ul>
        </section>
      ))}
    </Card>
  );
}

const groups: Record<Result['attributes']['status'], string> = {
  pending: 'hold',
  running: 'running',
  passed: 'applied',
  failed: 'errored',
  errored: 'errored',
  canceled: 'quiet',
  unreachable: 'errored',
};

function ResultRow({ result: { attributes } }: { result: Result }) {
  return (
    <li className="stack tight">
      <span className="line wrap">
        <span className="badge" data-group={groups[attributes.status]}>
          {text.statuses[attributes.status]}
        </span>
        <span className="strong anywhere">{attributes['task-name']}</span>
        {attributes['workspace-task-enforcement-level'] === 'mandatory' && (
          <span className="muted small">{text.mandatory}</span>
        )}
        {attributes.url && <Outside to={attributes.url}>{text.details}</Outside>}
      </span>
      {attributes.message && <p className="muted anywhere">{attributes.message}</p>}
    </li>
  );
}
