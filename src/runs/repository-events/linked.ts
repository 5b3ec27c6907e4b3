/** The workspaces that are linked to a repository through a connection, as an event of it finds them. */
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { effectiveExecutionMode } from '../../workspaces/workspaces/execution-mode.ts';
import type { Listener } from './decide.ts';

export interface Linked extends Listener {
  id: string;
  /** As its last fetch found it; null where it never fetched from the default branch. */
  known_default_branch: string | null;
}

/** Which repository of which connection. */
export interface Source {
  oauth_client_id: string;
  service_provider: ServiceProvider;
}

const batch = 500;

/** Some at a time, in the order of their ids. */
export async function* linkedWorkspaces(sql: Sql, source: Source, repository: string): AsyncGenerator<Linked[]> {
  let last = '';
  for (;;) {
    const found = await read(sql, sql`${linkedTo(sql, source, repository)} and workspaces.id > ${last}`);
    if (found.length > 0) yield found;
    if (found.length < batch) return;
    last = found.at(-1)!.id;
  }
}

/** The same of one workspace; undefined where it is linked no longer. */
export async function linkedWorkspace(
  sql: Sql,
  source: Source,
  repository: string,
  id: string,
): Promise<Linked | undefined> {
  const [found] = await read(sql, sql`${linkedTo(sql, source, repository)} and workspaces.id = ${id}`);
  return found;
}

/** Hosts of code take no notice of the case of a name; plain git knows files, and does. */
function linkedTo(sql: Sql, { oauth_client_id, service_provider }: Source, repository: string): Fragment {
  const bare = repository.replace(/\.git$/, '');
  const identifier = sql`regexp_replace(workspaces.vcs_repo ->> 'identifier', '\\.git$', '')`;
  const isSame =
    service_provider === 'git' ? sql`${identifier} = ${bare}` : sql`lower(${identifier}) = lower(${bare}::text)`;
  return sql`workspaces.vcs_repo ->> 'oauth-token-id' in (
      select oauth_tokens.id from oauth_tokens where oauth_tokens.oauth_client_id = ${oauth_client_id}
    ) and ${isSame}`;
}

async function read(sql: Sql, condition: Fragment): Promise<Linked[]> {
  return sql<Linked[]>`
    select workspaces.id, workspaces.vcs_repo ->> 'branch' as branch, workspaces.vcs_repo ->> 'tags-regex' as tags_regex,
      workspaces.working_directory, workspaces.file_triggers_enabled, workspaces.trigger_prefixes,
      workspaces.trigger_patterns, workspaces.queue_all_runs, workspaces.speculative_enabled,
      ${effectiveExecutionMode(sql)} as execution_mode,
      exists (
        select from runs where runs.workspace_id = workspaces.id and not runs.is_assessment
      ) as has_run,
      (
        select configuration_versions.ingress_attributes ->> 'branch' from configuration_versions
        where configuration_versions.workspace_id = workspaces.id
          and configuration_versions.ingress_attributes -> 'on-default-branch' = 'true'::jsonb
        order by configuration_versions.position desc
        limit 1
      ) as known_default_branch
    from workspaces
    join projects on projects.id = workspaces.project_id
    join organizations on organizations.id = workspaces.organization_id
    where ${condition}
    order by workspaces.id
    limit ${batch}`;
}
