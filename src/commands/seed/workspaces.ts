/** Seeded workspaces with their tags, tag bindings and team access, a batch in one transaction. */
import type { Sql } from '../../core/store/store.ts';
import { countWorkspaces } from '../../workspaces/projects/count.ts';
import { drawWorkspaceAccess } from './access.ts';
import { type Draws, drawsFor } from './draws.ts';
import { insertCounting, insertMissing, type SeedRow } from './insert.ts';
import { type Added, createdAt, type Plan, recordName, type Surroundings, seededId } from './organization.ts';
import { environments, parts, regions, services, tagNames, tiers, versionConstraints } from './vocabulary.ts';

/** The rows of one workspace, by table. */
interface Drawn {
  workspace: SeedRow & { id: string };
  tags: SeedRow[];
  bindings: SeedRow[];
  access: SeedRow[];
}

const teamUniverse = 1024;
const costCenters = 40;
const waveSize = 20;

/** Adds the workspaces at the positions from `first` up to `end`. Those that are there keep what was made of them. */
export async function seedWorkspaces(
  sql: Sql,
  plan: Plan,
  surroundings: Surroundings,
  first: number,
  end: number,
): Promise<Added> {
  const drawn = Array.from({ length: end - first }, (_, offset) => drawWorkspace(plan, surroundings, first + offset));
  const ids = drawn.map(({ workspace }) => workspace.id);
  const added = await insertCounting(
    sql,
    'workspaces',
    drawn.map(({ workspace }) => workspace),
    'project_id',
  );
  // Another workspace may have taken a name before: its seeded namesake has no row to hang tags and access on.
  const present = await sql<{ id: string }[]>`
    select workspaces.id from workspaces
    where workspaces.organization_id = ${plan.organization.id} and workspaces.id = any(${ids})`;
  const presentIds = new Set(present.map(({ id }) => id));
  const kept = drawn.filter(({ workspace }) => presentIds.has(workspace.id));
  countWorkspaces(sql, plan.organization.id, added);
  return {
    workspaces: Object.values(added).reduce((sum, one) => sum + one, 0),
    workspace_tags: await insertMissing(
      sql,
      'workspace_tags',
      kept.flatMap(({ tags }) => tags),
    ),
    workspace_tag_bindings: await insertMissing(
      sql,
      'workspace_tag_bindings',
      kept.flatMap(({ bindings }) => bindings),
    ),
    team_workspaces: await insertMissing(
      sql,
      'team_workspaces',
      kept.flatMap(({ access }) => access),
    ),
  };
}

function drawWorkspace(plan: Plan, surroundings: Surroundings, position: number): Drawn {
  const draws = drawsFor(recordName(plan, 'workspace', position));
  const id = seededId(plan, 'ws', position);
  const [service, part] = [draws.pick(services), draws.pick(parts)];
  const [environment, region] = [draws.pick(environments), draws.pick(regions)];
  const name = `${service}-${part}-${environment}-${region}-${String(position + 1).padStart(6, '0')}`;
  const projectId = draws.pick(surroundings.projectIds);
  const workspace = {
    id,
    organization_id: plan.organization.id,
    project_id: projectId,
    name,
    description: draws.chance(0.6) ? `The ${part} of ${service} in ${region}` : null,
    ...settings(draws, service),
    ...lock(draws, plan),
    ...times(draws, position),
  };
  const bindings = Object.entries(bindingsOf(draws, position, environment, region));
  return {
    workspace,
    tags: draws.some(tagNames, 3).map(tag => ({ workspace_id: id, tag_id: surroundings.tagIds.get(tag) })),
    bindings: bindings.map(([key, value]) => ({
      id: seededId(plan, 'tb', `${position}/workspace/${key}`),
      organization_id: plan.organization.id,
      workspace_id: id,
      key,
      value,
      created_at: workspace.created_at,
    })),
    access: drawAccess(draws, plan, surroundings, position, id),
  };
}

function settings(draws: Draws, service: string): SeedRow {
  const overwrites = draws.chance(0.3);
  const mode = draws.pick(['local', 'remote'] as const);
  const sharesState = draws.chance(0.2);
  const repository = {
    branch: '',
    identifier: `example/${service}`,
    'ingress-submodules': false,
    'oauth-token-id': null,
    'app-installation-id': 'ghain-seeded',
    'tags-regex': null,
  };
  return {
    allow_destroy_plan: draws.chance(0.9),
    assessments_enabled: false,
    auto_apply: draws.chance(0.3),
    auto_apply_run_trigger: draws.chance(0.1),
    auto_destroy_activity_duration: null,
    inherits_project_auto_destroy: true,
    environment: 'default',
    overwrites_execution_mode: overwrites,
    execution_mode: overwrites ? mode : null,
    file_triggers_enabled: draws.chance(0.8),
    global_remote_state: sharesState,
    // One of the two at most (§4.2).
    project_remote_state: draws.chance(0.1) && !sharesState,
    queue_all_runs: draws.chance(0.2),
    resource_count: draws.chance(0.7) ? draws.skewedBelow(500) : 0,
    source: 'tfe-api',
    speculative_enabled: draws.chance(0.9),
    structured_run_output_enabled: draws.chance(0.9),
    engine_version: draws.pick(versionConstraints),
    trigger_patterns: [],
    trigger_prefixes: draws.chance(0.2) ? [`/services/${service}`, '/modules'] : [],
    vcs_repo: draws.chance(0.4) ? repository : null,
    working_directory: draws.chance(0.5) ? `services/${service}` : null,
  };
}

function lock(draws: Draws, { administratorId }: Plan): SeedRow {
  const locked = draws.chance(0.02);
  return {
    locked,
    locked_reason: locked ? 'Locked while it is being looked at' : null,
    locked_by_type: locked ? 'users' : null,
    locked_by_id: locked ? administratorId : null,
  };
}

function times(draws: Draws, position: number) {
  const changed = createdAt(position + draws.skewedBelow(300_000));
  return { created_at: createdAt(position), updated_at: changed, latest_change_at: changed };
}

/** Waves hold about ten workspaces however many there are: a selective filter at every size. */
function bindingsOf(draws: Draws, position: number, environment: string, region: string): Record<string, string> {
  return {
    env: environment,
    region,
    ...(draws.chance(0.6) && { tier: draws.pick(tiers) }),
    ...(draws.chance(0.5) && { 'cost-center': String(1000 + draws.below(costCenters)) }),
    ...(draws.chance(0.5) && { wave: String(Math.floor(position / waveSize) + 1) }),
  };
}

/** Teams are drawn from more than there may be, so that teams that are added later get their access and others keep theirs. */
function drawAccess(draws: Draws, plan: Plan, { teamIds }: Surroundings, position: number, id: string): SeedRow[] {
  const chosen = new Set(Array.from({ length: draws.below(4) }, () => draws.skewedBelow(teamUniverse)));
  return [...chosen].flatMap(team => {
    const access = drawWorkspaceAccess(draws);
    const teamId = teamIds[team];
    if (teamId === undefined) return [];
    const row = { id: seededId(plan, 'tws', `${position}/${team}`), team_id: teamId, workspace_id: id, ...access };
    return [{ ...row, created_at: createdAt(position) }];
  });
}
