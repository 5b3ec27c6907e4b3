/**
 * What a good engineer would write by hand for four requests, show by id and list of workspaces and of teams: node:http, the driver, one statement
 * after that for the token, and a template. No framework, no router, no schema; it must answer the same bytes.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  withForceDelete,
  workspacePermissions,
  workspacePowers,
  workspacePowersFromOrganization,
} from '../src/access/workspace-levels.ts';
import type { Actor } from '../src/core/access/actor.ts';
import type { Powers } from '../src/core/access/powers.ts';
import { loadConfig } from '../src/core/config.ts';
import type { Deployment } from '../src/core/jsonapi/fields.ts';
import { openStore } from '../src/core/store/store.ts';
import { authenticate } from '../src/people/callers/authenticate.ts';
import { tokenHash } from '../src/people/tokens/secret.ts';
import { shownClientName, shownVcsRepo } from '../src/workspaces/workspaces/fields.ts';
import { listTeams, showTeam } from './baseline-teams.ts';

const { config } = loadConfig();
const store = openStore({ url: config.databaseUrl! }, { connections: config.connections });
const sql = store.read;
const deployment = { publicUrl: config.publicUrl! } as Deployment;

// biome-ignore lint/suspicious/noExplicitAny: the row of the statements below.
type Row = any;

const columns = (actor: Actor) => sql`
  w.id, w.organization_id, w.project_id, w.name, w.description, w.created_at, w.updated_at, w.latest_change_at,
  w.allow_destroy_plan, w.auto_apply, w.auto_apply_run_trigger, w.auto_destroy_at, w.inherits_project_auto_destroy,
  w.environment, w.overwrites_execution_mode, w.file_triggers_enabled, w.global_remote_state, w.project_remote_state,
  w.queue_all_runs, w.resource_count, w.source, w.source_name, w.source_url, w.speculative_enabled,
  w.structured_run_output_enabled, w.engine_version, w.trigger_patterns, w.trigger_prefixes, w.vcs_repo,
  w.working_directory, w.ssh_key_id, w.locked, w.locked_reason, w.locked_at, w.lock_expires_at, w.locked_by_type, w.locked_by_id, w.current_run_id,
  w.current_state_version_id, w.current_configuration_version_id,
  o.name as organization_name, o.allow_force_delete_workspaces,
  case when w.inherits_project_auto_destroy then p.auto_destroy_activity_duration
    else w.auto_destroy_activity_duration end as duration,
  case when w.overwrites_execution_mode then w.execution_mode
    when p.overwrites_execution_mode then p.default_execution_mode
    else o.default_execution_mode end as mode,
  case when w.overwrites_execution_mode then w.agent_pool_id
    when p.overwrites_execution_mode then p.default_agent_pool_id
    else o.default_agent_pool_id end as pool,
  array(select t.name from workspace_tags wt join tags t on t.id = wt.tag_id
    where wt.workspace_id = w.id order by t.name) as tag_names,
  array(select v.id from variables v where v.workspace_id = w.id order by v.created_at, v.id) as variable_ids,
  array(select s.id from state_version_outputs s where s.state_version_id = w.current_state_version_id
    order by s.id) as output_ids,
  w.run_metrics, d.id as policy_id, d.type as policy_type, c.name as vcs_client_name,
  c.id as vcs_client_id, c.service_provider as vcs_service_provider, c.http_url as vcs_http_url,
  coalesce((select bit_or(tw.powers) from team_workspaces tw
    where tw.workspace_id = w.id and tw.team_id = any(${actor.teamIds as string[]})), 0)
  | coalesce((select bit_or(tp.workspace_powers) from team_projects tp
    where tp.project_id = w.project_id and tp.team_id = any(${actor.teamIds as string[]})), 0) as team_powers`;

const joins = sql`
  join organizations o on o.id = w.organization_id
  join projects p on p.id = w.project_id
  left join data_retention_policies d on d.workspace_id = w.id
  left join oauth_tokens ot on ot.id = w.vcs_repo ->> 'oauth-token-id'
  left join oauth_clients c on c.id = ot.oauth_client_id`;

async function show(actor: Actor, id: string): Promise<string | null> {
  const [row] = await sql`
    select ${columns(actor)}
    from workspaces w
    ${joins}
    where w.id = ${id}`;
  if (!row) return null;
  const powers = powersOf(row, actor);
  return workspacePowers.has(powers, 'read') ? `{"data":${documentOf(row, powers)}}` : null;
}

async function list(actor: Actor, organization: string, page: number, size: number): Promise<string | null> {
  // Only for callers who read the whole organization, as the measured one does.
  const whole = [...actor.standings.keys()].filter(id => workspacePowersFromOrganization(actor, id) !== 0);
  const rows = await sql`
    select ${columns(actor)}, (select sum(workspaces) from workspace_counts c
      where c.organization_id = w.organization_id) as total
    from workspaces w
    ${joins}
    where w.id = any(array(
      select workspaces.id from workspaces
      where workspaces.organization_id =
        (select organizations.id from organizations where name = ${organization} and id = any(${whole}))
      order by workspaces.name, workspaces.id limit ${size} offset ${(page - 1) * size}
    ))
    order by w.name, w.id`;
  if (rows.length === 0) return null;
  const total: number = rows[0]!['total'];
  const documents = rows.map(row => documentOf(row, powersOf(row, actor)));
  return `{"data":[${documents.join(',')}],${pages(`${organization}/workspaces`, page, size, total)}}`;
}

function powersOf(row: Row, actor: Actor): Powers<'workspace'> {
  const granted = workspacePowers.union(
    workspacePowersFromOrganization(actor, row.organization_id),
    workspacePowers.from(row.team_powers),
  );
  return withForceDelete(granted, row.allow_force_delete_workspaces);
}

const permissionTexts = new Map<number, string>();

function permissionText(powers: Powers<'workspace'>): string {
  const text = permissionTexts.get(powers) ?? JSON.stringify(workspacePermissions(powers));
  permissionTexts.set(powers, text);
  return text;
}

/** Names, ids and timestamps hold nothing that JSON escapes. */
const quoted = (text: string | null) => (text === null ? 'null' : `"${text}"`);
const escaped = JSON.stringify;

function documentOf(row: Row, powers: Powers<'workspace'>): string {
  const self = `/api/v2/workspaces/${row.id}`;
  const [repository, metrics] = [row.vcs_repo, row.run_metrics];
  const one = (type: string, id: string | null, link = id && `/api/v2/${type}/${id}`) =>
    id === null ? '{"data":null}' : `{"data":{"id":"${id}","type":"${type}"},"links":{"related":"${link}"}}`;
  const run = one('runs', row.current_run_id);
  return `{"id":"${row.id}","type":"workspaces","attributes":{"actions":{"is-destroyable":${isDestroyable(row)}},"allow-destroy-plan":${row.allow_destroy_plan},"apply-duration-average":${metrics?.['apply-duration-average'] ?? null},"plan-duration-average":${metrics?.['plan-duration-average'] ?? null},"policy-check-failures":${metrics?.['policy-check-failures'] ?? null},"run-failures":${metrics?.['run-failures'] ?? null},"workspace-kpis-runs-count":${metrics?.['workspace-kpis-runs-count'] ?? null},"last-assessment-result-at":null,"auto-apply":${row.auto_apply},"auto-apply-run-trigger":${row.auto_apply_run_trigger},"auto-destroy-at":${quoted(row.auto_destroy_at)},"auto-destroy-activity-duration":${quoted(row.duration)},"auto-destroy-status":${row.auto_destroy_at ? '"scheduled"' : 'null'},"inherits-project-auto-destroy":${row.inherits_project_auto_destroy},"created-at":"${row.created_at}","updated-at":"${row.updated_at}","latest-change-at":"${row.latest_change_at}","description":${escaped(row.description)},"environment":${escaped(row.environment)},"execution-mode":"${row.mode}","operations":${row.mode !== 'local'},"agent-pool-id":${quoted(row.pool)},"file-triggers-enabled":${row.file_triggers_enabled},"global-remote-state":${row.global_remote_state},"project-remote-state":${row.project_remote_state},"locked":${row.locked},"locked-reason":${escaped(row.locked_reason)},"locked-at":${row.locked ? quoted(row.locked_at) : null},"lock-expires-at":${row.locked ? quoted(row.lock_expires_at) : null},"name":"${row.name}","oauth-client-name":${escaped(shownClientName(row))},"queue-all-runs":${row.queue_all_runs},"resource-count":${row.resource_count},"source":${escaped(row.source)},"source-name":${escaped(row.source_name)},"source-url":${escaped(row.source_url)},"speculative-enabled":${row.speculative_enabled},"structured-run-output-enabled":${row.structured_run_output_enabled},"tag-names":${escaped(row.tag_names)},"engine-version":${escaped(row.engine_version)},"terraform-version":${escaped(row.engine_version)},"trigger-prefixes":${escaped(row.trigger_prefixes)},"trigger-patterns":${escaped(row.trigger_patterns)},"vcs-repo":${repository ? repositoryText(row) : 'null'},"vcs-repo-identifier":${repository ? escaped(repository.identifier) : 'null'},"working-directory":${escaped(row.working_directory)},"setting-overwrites":{"execution-mode":${row.overwrites_execution_mode},"agent-pool":${row.overwrites_execution_mode}},"permissions":${permissionText(powers)}},"relationships":{"agent-pool":${one('agent-pools', row.pool)},"current-assessment-result":{"data":null},"current-configuration-version":${one('configuration-versions', row.current_configuration_version_id)},"current-run":${run},"latest-run":${run},"current-state-version":${one('state-versions', row.current_state_version_id, `${self}/current-state-version`)},"data-retention-policy":${one(row.policy_type, row.policy_id, `${self}/relationships/data-retention-policy`)},"effective-tag-bindings":{"links":{"related":"${self}/effective-tag-bindings"}},"locked-by":${row.locked ? one(row.locked_by_type, row.locked_by_id) : '{"data":null}'},"organization":${one('organizations', row.organization_name)},"outputs":{"data":${many('workspace-outputs', row.output_ids)},"links":{"related":"${self}/current-state-version-outputs"}},"project":${one('projects', row.project_id)},"readme":{"data":null},"remote-state-consumers":{"links":{"related":"${self}/relationships/remote-state-consumers"}},"ssh-key":${one('ssh-keys', row.ssh_key_id)},"tag-bindings":{"links":{"related":"${self}/tag-bindings"}},"vars":{"data":${many('vars', row.variable_ids)}}},"links":{"self":"/api/v2/organizations/${row.organization_name}/workspaces/${row.name}","self-html":"/app/${row.organization_name}/workspaces/${row.name}"}}`;
}

const many = (type: string, ids: readonly string[]) =>
  `[${ids.map(id => `{"id":"${id}","type":"${type}"}`).join(',')}]`;
const isDestroyable = (row: Row) => row.allow_destroy_plan;

function repositoryText(row: Row): string {
  const repository: Row = shownVcsRepo(row, deployment);
  const installation = escaped(repository['app-installation-id']);
  const identifier = escaped(repository.identifier);
  return `{"branch":${escaped(repository.branch)},"display-identifier":${identifier},"identifier":${identifier},"ingress-submodules":${repository['ingress-submodules']},"oauth-token-id":${escaped(repository['oauth-token-id'])},"app-installation-id":${installation},"github-app-installation-id":${installation},"repository-http-url":${escaped(repository['repository-http-url'])},"service-provider":${escaped(repository['service-provider'])},"tags-regex":${escaped(repository['tags-regex'])},"webhook-url":${escaped(repository['webhook-url'])}}`;
}

/** @param list what is listed, and where */
function pages(list: string, page: number, size: number, total: number): string {
  const last = Math.max(1, Math.ceil(total / size));
  const link = (number: number) =>
    `"${config.publicUrl}/api/v2/organizations/${list}?page%5Bnumber%5D=${number}&page%5Bsize%5D=${size}"`;
  const previous = page > 1 ? Math.min(page - 1, last) : null;
  const next = page < last ? page + 1 : null;
  return `"links":{"self":${link(page)},"first":${link(1)},"prev":${previous && link(previous)},"next":${next && link(next)},"last":${link(last)}},"meta":{"pagination":{"current-page":${page},"page-size":${size},"prev-page":${previous},"next-page":${next},"total-pages":${last},"total-count":${total}}}`;
}

async function answer(path: string, actor: Actor): Promise<string | null> {
  const shown = /^\/api\/v2\/workspaces\/(ws-\w+)$/.exec(path);
  if (shown) return show(actor, shown[1]!);
  const team = /^\/api\/v2\/teams\/(team-\w+)$/.exec(path);
  if (team) return showTeam(sql, actor, team[1]!);
  const listed = /^\/api\/v2\/organizations\/([\w-]+)\/workspaces\?page\[number\]=(\d+)&page\[size\]=(\d+)$/.exec(path);
  if (listed) return list(actor, listed[1]!, Number(listed[2]), Number(listed[3]));
  const organization = /^\/api\/v2\/organizations\/([\w-]+)\/teams$/.exec(path)?.[1];
  const found = organization && (await listTeams(sql, actor, organization, 20));
  return found ? `{"data":[${found.documents.join(',')}],${pages(`${organization}/teams`, 1, 20, found.total)}}` : null;
}

function send(response: ServerResponse, status: number, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { 'content-type': 'application/vnd.api+json', 'content-length': bytes.length });
  response.end(bytes);
}

const server = createServer(async (request, response) => {
  try {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
    const actor = await authenticate(sql, { kind: 'token', hash: tokenHash(config.tokenPepper!, token) });
    if (!actor) return send(response, 401, '{"errors":[{"status":"401","title":"unauthorized"}]}');
    const body = await answer(request.url!, actor);
    return body === null
      ? send(response, 404, '{"errors":[{"status":"404","title":"not found"}]}')
      : send(response, 200, body);
  } catch (error) {
    console.error(error);
    send(response, 500, '{"errors":[{"status":"500","title":"internal server error"}]}');
  }
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => process.exit(0));
