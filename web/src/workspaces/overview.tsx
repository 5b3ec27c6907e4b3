/** …/workspaces/<name>: may I change it now, and what is in it? */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Resource } from '../api/client.ts';
import { included } from '../api/documents.ts';
import { explanationQuery, teamsOf } from '../api/explanation.ts';
import { paths } from '../paths.ts';
import { locking, workspace as text } from '../texts/workspace.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, Facts, Tag } from '../ui/parts.tsx';
import { duration, Time } from '../ui/time.tsx';
import { Contents } from './contents.tsx';
import { EditTags } from './edit-tags.tsx';
import { lastRunsQuery } from './last-runs.ts';
import { LatestRuns } from './latest-runs.tsx';
import { useStanding, WhyNotUnlock } from './lock-control.tsx';
import { RunStrata } from './run-strata.tsx';
import { holderOf } from './status.tsx';
import { accessLevel, useWorkspace, type WorkspaceDocument } from './workspace.ts';

const Readme = lazy(async () => ({ default: (await import('../readme/readme.tsx')).Readme }));

export function WorkspaceOverview() {
  const { organization, query } = useWorkspace();
  const document = query.data;
  if (!document) return null;
  const { data: readme } = document.data.relationships.readme as { data: { id: string } | null };
  return (
    <div className="columns">
      <div className="stack">
        <LockNotice organization={organization} document={document} />
        <LatestRuns organization={organization} document={document} />
        <Contents document={document} />
        {readme && (
          <Suspense>
            <Readme workspaceId={document.data.id} readmeId={readme.id} />
          </Suspense>
        )}
      </div>
      <aside className="stack" aria-label={text.about}>
        <About organization={organization} document={document} />
        <Tags organization={organization} document={document} />
        <LastRuns organization={organization} document={document} />
        <Access organization={organization} document={document} />
      </aside>
    </div>
  );
}

interface Props {
  organization: string;
  document: WorkspaceDocument;
}

function LockNotice({ organization, document }: Props) {
  const [isOpen, setOpen] = useState(false);
  const standing = useStanding(document);
  const { attributes } = document.data;
  if (standing === 'open') return null;
  const holder = holderOf(document.data, document);
  const who = holder?.name ?? locking.somebody;
  return (
    <section className="notice" data-kind="locked" aria-label={locking.locked}>
      <Icon name="lock" />
      <div className="grow stack tight">
        <div className="line wrap">
          {holder?.type === 'runs' ? (
            <Link className="link strong" to={paths.run(organization, attributes.name, holder.id)}>
              {locking.lockedByRun}
            </Link>
          ) : (
            <b>{standing === 'mine' ? locking.lockedByYou : locking.lockedBy(who)}</b>
          )}
          <span className="muted sentence">{locking.meaning}</span>
          {standing === 'foreign' && (
            <button type="button" className="link line" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {locking.whyNot}
              <Icon name="down" size={14} />
            </button>
          )}
        </div>
        {attributes['locked-reason'] && <p className="quote">{attributes['locked-reason']}</p>}
        {isOpen && <WhyNotUnlock organization={organization} who={who} mayLock={attributes.permissions['can-lock']} />}
      </div>
    </section>
  );
}

function About({ organization, document }: Props) {
  const { attributes, relationships } = document.data;
  const project = included(document, relationships.project, 'projects');
  const assessment = included(document, relationships['current-assessment-result'], 'assessment-results');
  const names = text.facts;
  const shared = attributes['global-remote-state']
    ? text.sharedWithAll
    : attributes['project-remote-state']
      ? text.sharedWithProject
      : text.sharedWithChosen;
  return (
    <Card title={text.about}>
      <div className="stack tight">
        <p className={attributes.description ? 'anywhere' : 'faint'}>{attributes.description || text.noDescription}</p>
        <Facts
          facts={[
            project
              ? [
                  names.project,
                  <Link key="p" className="link" to={paths.project(organization, project.id)}>
                    {project.attributes.name}
                  </Link>,
                ]
              : null,
            [
              names.mode,
              <span key="m">
                {text.mode[attributes['execution-mode']]}{' '}
                {!attributes['setting-overwrites']['execution-mode'] && (
                  <span className="faint small">{text.fromProject}</span>
                )}
              </span>,
            ],
            [names.version, attributes['engine-version']],
            [names.autoApply, attributes['auto-apply'] ? text.on : text.off],
            [
              names.directory,
              attributes['working-directory'] ? (
                <span key="d" className="mono">
                  {attributes['working-directory']}
                </span>
              ) : (
                <span key="d" className="faint">
                  {text.root}
                </span>
              ),
            ],
            [names.remoteState, shared],
            assessment ? [names.drift, <Drift key="a" {...assessment.attributes} />] : null,
            [names.changed, <Time key="t" at={attributes['latest-change-at']} />],
            [names.created, <Time key="c" at={attributes['created-at']} />],
          ]}
        />
      </div>
    </Card>
  );
}

type Assessment = Resource<'assessment-results'>['attributes'];

/** What the daily look at the real things has found. */
function Drift(found: Assessment) {
  const { succeeded, drifted, 'resources-drifted': changed, 'resources-undrifted': same } = found;
  const broken = found['checks-failed'] + found['checks-errored'];
  return (
    <span className="stack tight">
      <span>
        {!succeeded ? text.drift.failed : drifted ? text.drift.changed(changed, changed + same) : text.drift.none}
      </span>
      {broken > 0 && <span>{text.drift.checks(broken)}</span>}
      <span className="faint small">
        <Time at={found['created-at']} />
      </span>
    </span>
  );
}

function Tags({ organization, document }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { attributes, relationships } = document.data;
  const project = included(document, relationships.project, 'projects');
  const bindings = (relationships['effective-tag-bindings'].data ?? []).flatMap(
    link => included(document, { data: link }, 'effective-tag-bindings') ?? [],
  );
  const isInherited = (binding: (typeof bindings)[number]) => Boolean(binding.relationships?.['inherited-from']);
  const own = bindings.filter(binding => !isInherited(binding));
  const inherited = bindings.filter(isInherited);
  const flat = attributes['tag-names'];
  return (
    <Card
      title={text.tags}
      action={
        attributes.permissions['can-manage-tags'] && (
          <button type="button" className="link" onClick={() => setOpen(true)}>
            {text.manageTags}
          </button>
        )
      }
    >
      <div className="stack tight">
        {own.length + flat.length + inherited.length === 0 && <p className="faint">{text.noTags}</p>}
        <div className="tags wrap">
          {own.map(({ id, attributes: { key, value } }) => (
            <Tag key={id ?? key} tagKey={key} value={value} />
          ))}
          {flat.map(name => (
            <Tag key={`flat ${name}`} tagKey={name} />
          ))}
        </div>
        {inherited.length > 0 && (
          <>
            <p className="faint small">{text.inherited(project?.attributes.name ?? '')}</p>
            <div className="tags wrap">
              {inherited.map(({ id, attributes: { key, value } }) => (
                <Tag key={id ?? key} tagKey={key} value={value} />
              ))}
            </div>
          </>
        )}
      </div>
      {isOpen && <EditTags organization={organization} document={document} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function LastRuns({ organization, document }: Props) {
  const { id, attributes } = document.data;
  const query = useQuery(lastRunsQuery(organization, id));
  const runs = query.data?.data ?? [];
  if (runs.length === 0) return null;
  const failed = runs.filter(run => run.attributes.status === 'errored').length;
  const average = (time_ms: number | null) => (time_ms === null ? '–' : duration(time_ms / 1000));
  return (
    <Card
      title={text.lastRuns(runs.length)}
      action={
        <Link className="link" to={paths.workspaceRuns(organization, attributes.name)}>
          {text.viewAllRuns}
        </Link>
      }
    >
      <RunStrata runs={runs} />
      <dl className="averages">
        <div>
          <dt>{text.averages.plan}</dt>
          <dd>{average(attributes['plan-duration-average'])}</dd>
        </div>
        <div>
          <dt>{text.averages.apply}</dt>
          <dd>{average(attributes['apply-duration-average'])}</dd>
        </div>
        <div>
          <dt>{text.averages.failed}</dt>
          <dd>{failed}</dd>
        </div>
      </dl>
    </Card>
  );
}

/** The permission by which each level can be told. */
const signOf = { admin: 'can-update', write: 'can-queue-apply', plan: 'can-queue-run', read: 'can-read-run' } as const;

function Access({ organization, document }: Props) {
  const level = accessLevel(document.data.attributes.permissions);
  const { data: why } = useQuery(explanationQuery({ type: 'workspaces', id: document.data.id, action: signOf[level] }));
  const teams = why ? teamsOf(why) : [];
  return (
    <Card title={text.access} action={<span className="badge">{text.accessLevel[level]}</span>}>
      <p className="muted">{text.accessSays[level]}</p>
      {teams.length > 0 && (
        <p>
          {text.accessFrom}{' '}
          {teams.map(({ id, name }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link className="link" to={paths.team(organization, id)}>
                {name}
              </Link>
            </span>
          ))}
        </p>
      )}
    </Card>
  );
}
