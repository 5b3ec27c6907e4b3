/** §4.2 What follows from an event in each workspace that is linked to its repository: decided, begun, and remembered with its reason. */
import type { RepositoryEvent } from '../../connections/forges/forge.ts';
import type { Sql, Store } from '../../core/store/store.ts';
import { fetchConfiguration, type Wanted } from '../configuration-versions/fetch.ts';
import { noteCommitStatus } from '../queue/announce.ts';
import { type Decision, decide } from './decide.ts';
import { type Linked, linkedWorkspace, linkedWorkspaces, type Source } from './linked.ts';

/** An event, and where what follows from it is remembered. */
export interface Occurrence {
  deliveryId: string;
  /** Among the events of its delivery. */
  position: number;
  source: Source;
  event: RepositoryEvent;
}

/** What a delivery may leave out, asked of the host. */
export interface Host {
  changedFiles: (event: RepositoryEvent) => Promise<string[] | null>;
  defaultBranch: (event: RepositoryEvent) => Promise<string | null>;
}

interface Outcome extends Decision {
  workspace_id: string;
}

/** Returns how many workspaces were looked at. What fails in one of them keeps it from none of the others, and is thrown in the end. */
export async function beginWhatFollows(store: Store, told: Occurrence, host: Host): Promise<number> {
  let occurrence = told;
  const faults: unknown[] = [];
  let count = 0;
  for await (const linked of linkedWorkspaces(store.read, told.source, told.event.repository)) {
    count += linked.length;
    const nothing: Outcome[] = [];
    occurrence = { ...occurrence, event: await completed(occurrence.event, linked, host) };
    for (const one of linked) {
      try {
        const decision = decideFor(one, occurrence.event);
        if (decision.begins === null) nothing.push({ ...decision, workspace_id: one.id });
        else await begin(store, occurrence, one.id);
      } catch (fault) {
        faults.push(fault);
      }
    }
    await remember(store.read, occurrence, nothing);
  }
  if (faults.length > 0) throw faults[0];
  return count;
}

const decideFor = (one: Linked, event: RepositoryEvent) =>
  decide(event, one, event.default_branch ?? one.known_default_branch);

/** What nobody wants to know is not asked. */
async function completed(event: RepositoryEvent, linked: readonly Linked[], host: Host): Promise<RepositoryEvent> {
  const wantsBranch = event.default_branch === null && linked.some(one => followsDefault(one, event));
  const placed = wantsBranch ? { ...event, default_branch: await host.defaultBranch(event) } : event;
  const wantsFiles =
    event.changed_files === null && linked.some(one => watchesFiles(one, event) && decideFor(one, placed).begins);
  return wantsFiles ? { ...placed, changed_files: await host.changedFiles(event) } : placed;
}

const followsDefault = (one: Linked, { kind }: RepositoryEvent) => one.branch === '' && kind !== 'tag';

const watchesFiles = (one: Linked, { kind }: RepositoryEvent) =>
  kind !== 'tag' &&
  one.file_triggers_enabled &&
  (Boolean(one.working_directory) || one.trigger_prefixes.length > 0 || one.trigger_patterns.length > 0);

/** Decided again on the held row, which may have changed meanwhile; what was begun before is not begun again. */
async function begin(store: Store, occurrence: Occurrence, id: string): Promise<void> {
  const { source, event, deliveryId, position } = occurrence;
  await store.transaction(async sql => {
    await sql`select from workspaces where workspaces.id = ${id} for update`;
    const before = await sql`
      select from webhook_outcomes
      where webhook_outcomes.webhook_delivery_id = ${deliveryId} and webhook_outcomes.event_position = ${position}
        and webhook_outcomes.workspace_id = ${id}`;
    const one = await linkedWorkspace(sql, source, event.repository, id);
    if (before.length > 0 || !one) return;
    const decision = decideFor(one, event);
    const version = decision.begins ? await fetchConfiguration(sql, wanted(id, event, decision)) : null;
    await remember(sql, occurrence, [{ ...decision, workspace_id: id }], version);
    if (version) await noteCommitStatus(sql, sql`${version}`);
  });
}

function wanted(workspaceId: string, event: RepositoryEvent, { begins }: Decision): Wanted {
  const { pull_request: pull, sender, default_branch } = event;
  return {
    workspaceId,
    commit: { sha: event.commit_sha, branch: pull ? pull.head_branch : event.branch, tag: event.tag },
    isSpeculative: begins === 'speculative run',
    ingress: {
      'commit-message': event.commit_message,
      'commit-url': event.commit_url,
      'compare-url': event.compare_url,
      'is-pull-request': pull !== null,
      ...(default_branch !== null && { 'on-default-branch': !pull && event.branch === default_branch }),
      'pull-request-number': pull?.number ?? null,
      'pull-request-url': pull?.url ?? null,
      'pull-request-title': pull?.title ?? null,
      'pull-request-body': pull?.body ?? null,
      'sender-username': sender?.username ?? null,
      'sender-avatar-url': sender?.avatar_url ?? null,
      'sender-html-url': sender?.html_url ?? null,
    },
    changedFiles: event.changed_files ?? [],
    createdById: null,
    thenRun: { message: messageOf(event) },
  };
}

function messageOf({ kind, commit_message, branch, tag, pull_request: pull }: RepositoryEvent): string {
  if (pull) return `Pull request ${pull.number}: ${pull.title}`;
  return commit_message || (kind === 'tag' ? `Tag ${tag}` : `Push to ${branch}`);
}

async function remember(
  sql: Sql,
  { deliveryId, position }: Occurrence,
  outcomes: readonly Outcome[],
  configurationVersionId: string | null = null,
): Promise<void> {
  if (outcomes.length === 0) return;
  await sql`
    insert into webhook_outcomes ${sql(
      outcomes.map(({ workspace_id, begins, reason }) => ({
        webhook_delivery_id: deliveryId,
        event_position: position,
        workspace_id,
        begins,
        reason,
        configuration_version_id: configurationVersionId,
      })),
    )}
    on conflict do nothing`;
}
