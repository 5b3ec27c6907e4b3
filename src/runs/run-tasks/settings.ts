/** What bodies say of a run task. */
import type { Config } from '../../core/config.ts';
import { ApiError, attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { toOne, type WriteOf } from '../../core/jsonapi/body.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { limits } from '../../core/limits.ts';
import { seal } from '../../core/store/secrets.ts';
import type { Sql } from '../../core/store/store.ts';
import { enforcementFaults, stagesFrom } from '../workspace-tasks/rules.ts';
import { askTask, trialRequest } from './request.ts';
import { type given, type RunTask, runTasks, sealContext } from './run-task.ts';

export type Given = WriteOf<(typeof given)['attributes']>;

export const givenLinks = { 'agent-pool': toOne('agent-pools') };

/** Those of which the body is silent stay. An empty key is none. */
export function columnsFrom(config: Config, id: string, attributes: Given): Record<string, unknown> {
  const key = attributes['hmac-key'];
  const everywhere = attributes['global-configuration'];
  return {
    ...columns(runTasks, attributes),
    global_enabled: everywhere?.enabled,
    global_stages: everywhere ? stagesFrom(everywhere) : undefined,
    global_enforcement_level: everywhere?.['enforcement-level'],
    sealed_hmac_key: key === undefined ? undefined : key ? seal(config, key, sealContext(id)) : null,
  };
}

/** @param before as it is so far; undefined for a new one */
export function settingFaults(
  { url, 'global-configuration': everywhere }: Given,
  links: { 'agent-pool'?: string | null },
  before?: RunTask,
): Fault[] {
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : null;
  const isUsable = url === undefined || (parsed !== null && parsed.username === '' && parsed.password === '');
  return [
    ...(isUsable ? [] : [attributeFault('url', 'Url must not hold a name and a password')]),
    ...(links['agent-pool']
      ? [relationshipFault('agent-pool', 'The provided agent pool does not exist: agents forward no requests')]
      : []),
    ...enforcementFaults(
      everywhere?.['enforcement-level'] ?? before?.global_enforcement_level,
      (everywhere && stagesFrom(everywhere)) ?? before?.global_stages ?? ['post_plan'],
      'global-configuration/enforcement-level',
    ),
  ];
}

/** Those that are asked in all workspaces are counted: the organization's row is held. @param taskId null for a new one */
export async function countFaults(
  sql: Sql,
  organizationId: string,
  taskId: string | null,
  { 'global-configuration': everywhere }: Given,
): Promise<Fault[]> {
  if (!everywhere?.enabled) return [];
  await sql`select from organizations where organizations.id = ${organizationId} for no key update`;
  const [others] = await sql<{ total: number }[]>`
    select count(*) as total from run_tasks
    where run_tasks.organization_id = ${organizationId} and run_tasks.global_enabled
      and run_tasks.id is distinct from ${taskId}`;
  const most = limits.globalTasks_items.value;
  if (others!.total < most) return [];
  const place = 'global-configuration/enabled';
  return [
    attributeFault(place, `Enabled cannot be true: an organization has at most ${most} tasks for all workspaces`),
  ];
}

/** Throws unless the address takes a trial. */
export async function requireAnswer(
  config: Config,
  target: { url: string; key: string | null },
  organizationName: string,
  publicUrl: string,
): Promise<void> {
  const reason = await askTask(config, target, trialRequest(organizationName, publicUrl));
  if (reason === null) return;
  throw new ApiError([attributeFault('url', `Url does not take a trial request: ${reason}`)]);
}
