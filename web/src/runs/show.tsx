/** …/runs/<id>: what will happen, may it, and what did. */
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { included } from '../api/documents.ts';
import { useLive } from '../frame/live.tsx';
import { paths } from '../paths.ts';
import { runs as text } from '../texts/runs.ts';
import { workspace as words } from '../texts/workspace.ts';
import { Id } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Avatar, Card, Facts } from '../ui/parts.tsx';
import { duration, Time } from '../ui/time.tsx';
import { groupOf, RunStatus, type StatusGroup, StatusSign } from '../workspaces/status.tsx';
import { LeftState, RunActs, RunDecision } from './acts.tsx';
import { Commit, commitOf, shortOf } from './commit.tsx';
import { LogView } from './log-view.tsx';
import { PlanChanges } from './plan-changes.tsx';
import { type Run, type RunDocument, runQuery } from './runs.ts';
import { TaskResults } from './task-results.tsx';
import { Timeline } from './timeline.tsx';

export function RunScreen() {
  const { organization, run: id } = useParams({ strict: false }) as { organization: string; run: string };
  const query = useQuery(runQuery(id));
  useLive(query);
  return (
    <Loaded query={query} skeleton={<Skeleton rows={10} />}>
      {document => <RunPage organization={organization} document={document} />}
    </Loaded>
  );
}

function RunPage({ organization, document }: { organization: string; document: RunDocument }) {
  const run = document.data;
  const { attributes, relationships } = run;
  const plan = included(document, relationships.plan, 'plans');
  const apply = included(document, relationships.apply, 'applies');
  const who = included(document, relationships['created-by'], 'users');
  const commit = commitOf(document);
  const hasBegun = (phase: { attributes: { status: string } } | undefined) =>
    phase !== undefined && phase.attributes.status !== 'pending';
  return (
    <div className="stack">
      <div className="line wrap">
        <h2 className="run-title anywhere">{attributes.message || run.id}</h2>
        <RunStatus run={run} badge />
        <span className="grow" />
        <RunActs run={run} />
      </div>
      <div className="record-facts">
        <Id id={run.id} />
        {who && (
          <span>
            <Avatar name={who.attributes.username ?? '?'} id={who.id} />
            {who.attributes.username}
          </span>
        )}
        {commit ? (
          <span>
            <Icon name={commit.tag ? 'tag' : 'branch'} />
            {commit.tag ?? commit.branch} <span className="mono">{shortOf(commit['commit-sha'])}</span>
          </span>
        ) : (
          <span>
            <Icon name="terminal" />
            {text.source[attributes.source] ?? attributes.source}
          </span>
        )}
        <span>
          <Icon name="clock" />
          <Time at={attributes['created-at']} />
        </span>
      </div>
      <Phases run={run} />
      <div className="columns">
        <div className="stack">
          <RunDecision run={run} plan={plan} />
          <TaskResults runId={run.id} status={attributes.status} />
          <PlanChanges planId={plan?.id} isFinished={plan?.attributes.status === 'finished'} />
          {plan && hasBegun(plan) && (
            <LogView title={text.planLog} address={plan.attributes['log-read-url']} name={`${run.id}-plan`} />
          )}
          {apply?.attributes.status === 'errored' && <LeftState applyId={apply.id} runId={run.id} />}
          {apply && hasBegun(apply) && (
            <LogView title={text.applyLog} address={apply.attributes['log-read-url']} name={`${run.id}-apply`} />
          )}
        </div>
        <aside className="stack" aria-label={text.details}>
          {commit && <Commit commit={commit} />}
          <Details organization={organization} document={document} />
          <Timeline document={document} />
        </aside>
      </div>
    </div>
  );
}

type Stamps = Record<string, string | null | undefined>;

const span = (stamps: Stamps, from: string, to: readonly string[]) => {
  const start = stamps[from];
  const end = to.map(name => stamps[name]).find(Boolean);
  return start && end ? duration((Date.parse(end) - Date.parse(start)) / 1000) : null;
};

/** Queued, plan, confirm, apply: where it is, and how long each took. */
function Phases({ run: { attributes } }: { run: Run }) {
  const stamps = attributes['status-timestamps'] as Stamps;
  const group = groupOf(attributes.status);
  const hasPlanned = Boolean(
    stamps['planned-at'] ?? stamps['planned-and-finished-at'] ?? stamps['planned-and-saved-at'],
  );
  const isOver = ['applied', 'errored', 'quiet'].includes(group);
  const hasApplied = Boolean(stamps['applying-at']);
  const at = !stamps['planning-at'] ? 0 : !hasPlanned ? 1 : !hasApplied ? 2 : 3;
  const stateOf = (index: number): StatusGroup => {
    if (index < at) return 'applied';
    if (index > at) return 'quiet';
    return isOver && group !== 'applied' ? group : isOver ? 'applied' : group;
  };
  const hints = [
    span(stamps, 'plan-queueable-at', ['planning-at']) ?? '',
    span(stamps, 'planning-at', ['planned-at', 'planned-and-finished-at', 'errored-at']) ?? '',
    hasApplied ? text.done : hasPlanned && !isOver ? text.waits : '',
    span(stamps, 'applying-at', ['applied-at', 'errored-at']) ?? '',
  ];
  const names = [text.phases.queued, text.phases.plan, text.phases.confirm, text.phases.apply];
  const shown = attributes['plan-only'] ? names.slice(0, 2) : names;
  return (
    <ol className="phases card">
      {shown.map((name, index) => (
        <li key={name} data-group={stateOf(index)} aria-current={index === at && !isOver ? 'step' : undefined}>
          <span className="status" data-group={stateOf(index)}>
            <StatusSign group={stateOf(index)} />
          </span>
          <span>
            <span className="strong">{name}</span>
            <br />
            <span className="muted small">{hints[index] || (index > at ? text.notStarted : '')}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The resources that a run was told to keep to, or to make anew, by their addresses. */
const addressed = (term: string, addresses: readonly string[] | null) =>
  addresses && addresses.length > 0
    ? ([
        term,
        <ul key="a">
          {addresses.map(address => (
            <li key={address} className="mono anywhere">
              {address}
            </li>
          ))}
        </ul>,
      ] as const)
    : null;

function Details({ organization, document }: { organization: string; document: RunDocument }) {
  const { attributes, relationships } = document.data;
  const workspace = included(document, relationships.workspace, 'workspaces');
  const kind = attributes['is-destroy']
    ? 'destroy'
    : attributes['refresh-only']
      ? 'refresh-only'
      : attributes['plan-only']
        ? 'plan-only'
        : 'apply';
  const name = workspace?.attributes.name;
  return (
    <Card title={text.details}>
      <Facts
        facts={[
          name
            ? [
                text.facts.workspace,
                <Link key="w" className="link" to={paths.workspace(organization, name)}>
                  {name}
                </Link>,
              ]
            : null,
          [text.facts.kind, text.kinds[kind]?.[0]],
          addressed(text.facts.targets, attributes['target-addrs']),
          addressed(text.facts.replaces, attributes['replace-addrs']),
          [text.facts.version, attributes['terraform-version']],
          [text.facts.autoApply, attributes['auto-apply'] ? words.on : words.off],
          name && relationships['configuration-version'].data
            ? [
                text.facts.configuration,
                <Link key="c" className="link mono anywhere" to={paths.configurations(organization, name)}>
                  {relationships['configuration-version'].data.id}
                </Link>,
              ]
            : null,
          [text.facts.created, <Time key="t" at={attributes['created-at']} absolute />],
        ]}
      />
    </Card>
  );
}
