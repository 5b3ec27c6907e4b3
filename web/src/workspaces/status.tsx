/** The one place where a run's status gets a group, a colour, a shape and a word. */
import { Link, useParams } from '@tanstack/react-router';
import type { Resource } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { paths } from '../paths.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Icon } from '../ui/icon.tsx';

export type RunStatusName = Resource<'runs'>['attributes']['status'];
export const statusGroups = ['attention', 'errored', 'running', 'hold', 'applied', 'quiet'] as const;
export type StatusGroup = (typeof statusGroups)[number];

const groups: Record<Exclude<StatusGroup, 'running'>, readonly RunStatusName[]> = {
  attention: [
    'planned',
    'cost_estimated',
    'policy_checked',
    'post_plan_completed',
    'policy_override',
    'pre_plan_awaiting_decision',
    'post_plan_awaiting_decision',
    'pre_apply_awaiting_decision',
    'planned_and_saved',
  ],
  errored: ['errored', 'policy_soft_failed'],
  hold: ['pending', 'plan_queued', 'apply_queued'],
  applied: ['applied'],
  quiet: ['planned_and_finished', 'discarded', 'canceled', 'force_canceled', 'assessed'],
};

const running: readonly RunStatusName[] = [
  'fetching',
  'fetching_completed',
  'pre_plan_running',
  'pre_plan_completed',
  'queuing',
  'planning',
  'cost_estimating',
  'policy_checking',
  'post_plan_running',
  'confirmed',
  'pre_apply_running',
  'pre_apply_completed',
  'queuing_apply',
  'applying',
  'post_apply_running',
  'post_apply_completed',
];

export const statusesOf = (group: StatusGroup): readonly RunStatusName[] =>
  group === 'running' ? running : groups[group];

export function groupOf(status: RunStatusName | undefined): StatusGroup {
  if (!status) return 'quiet';
  for (const group of statusGroups) if (statusesOf(group).includes(status)) return group;
  return 'running';
}

const signs: Record<StatusGroup, React.ReactNode> = {
  applied: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="m5.2 8.2 2 2 3.7-4.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  attention: (
    <>
      <path d="M8 1.3 15.3 14H.7z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
      <path d="M8 5.8v3.9M8 11.8h.01" stroke="var(--ground-surface)" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  errored: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />
      <path d="m5.5 5.5 5 5M10.5 5.5l-5 5" stroke="var(--ground-surface)" strokeWidth="1.7" strokeLinecap="round" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 3.6a4.4 4.4 0 0 1 0 8.8z" fill="currentColor" />
    </>
  ),
  hold: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  quiet: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.6 2.31" />
      <path d="M5.6 8h4.8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
};

export function StatusSign({ group }: { group: StatusGroup }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      {signs[group]}
    </svg>
  );
}

export function statusWord(status: RunStatusName | undefined): string {
  if (!status) return text.neverRun;
  return text.statuses[status] ?? text.inProgress;
}

export function RunStatus({ run, badge }: { run: Pick<Resource<'runs'>, 'attributes'> | undefined; badge?: boolean }) {
  const status = run?.attributes.status;
  const group = groupOf(status);
  return (
    <span className={badge ? 'badge' : 'status'} data-group={group}>
      <StatusSign group={group} />
      {statusWord(status)}
    </span>
  );
}

type Holder = { id: string; type: 'users' | 'teams' | 'runs'; name: string };

/** Who holds the lock; undefined when it is open, or the holder is nobody that the caller may know. */
export function holderOf(
  workspace: Resource<'workspaces'>,
  document: { included?: readonly object[] },
): Holder | undefined {
  const link = workspace.relationships['locked-by'] as { data: { id: string; type: Holder['type'] } | null };
  if (!link?.data) return undefined;
  const { id, type } = link.data;
  if (type === 'runs') return { id, type, name: id };
  const record = type === 'users' ? included(document, link, 'users') : included(document, link, 'teams');
  const attributes = record?.attributes as { username?: string; name?: string } | undefined;
  return { id, type, name: attributes?.username ?? attributes?.name ?? id };
}

export function LockMark({
  workspace,
  document,
}: {
  workspace: Resource<'workspaces'>;
  document: { included?: readonly object[] };
}) {
  const { organization } = useParams({ strict: false }) as { organization?: string };
  if (!workspace.attributes.locked) return <span className="hidden-text">{text.notLocked}</span>;
  const holder = holderOf(workspace, document);
  const name = holder?.name ?? '';
  const content = (
    <>
      <Icon name="lock" size={14} />
      <span className="hidden-text">{text.locked} </span>
      <span className="cut">{holder?.type === 'runs' ? text.aRun : name}</span>
    </>
  );
  if (holder?.type === 'runs' && organization)
    return (
      <Link className="lock" to={paths.run(organization, workspace.attributes.name, holder.id)} title={name}>
        {content}
      </Link>
    );
  return (
    <span className="lock" title={workspace.attributes['locked-reason'] || name}>
      {content}
    </span>
  );
}
