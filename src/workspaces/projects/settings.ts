/** What a body asks of a project → the columns to write and every fault; create and update alike. */
import { mayUsePool } from '../../connections/agent-pools/scope.ts';
import { attributeFault, type Fault } from '../../core/errors.ts';
import { type DocumentValue, embedded, toOne } from '../../core/jsonapi/body.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import type { Sql } from '../../core/store/store.ts';
import { bindingFaults, bindingGiven } from '../tags/binding-rules.ts';
import { type OwnMode, settleMode } from './execution-mode.ts';
import { projects } from './project.ts';

const relationships = {
  'default-agent-pool': toOne('agent-pools'),
  'tag-bindings': embedded('tag-bindings', bindingGiven),
};

export const projectBody = { relationships };

type ProjectValue = DocumentValue<(typeof projects)['attributes'], typeof relationships>;

export async function settle(
  sql: Sql,
  place: { organizationId: string; projectId: string | null },
  { attributes, relationships }: ProjectValue,
  before: OwnMode,
): Promise<{ changes: Record<string, unknown>; faults: Fault[] }> {
  const { after, faults } = settleMode(
    {
      mode: attributes['default-execution-mode'],
      pools: [attributes['default-agent-pool-id'], relationships['default-agent-pool']],
      overwrites: attributes['setting-overwrites'],
    },
    before,
  );
  const pool = after.default_agent_pool_id;
  if (
    pool &&
    pool !== before.default_agent_pool_id &&
    !(await mayUsePool(sql, { ...place, workspaceId: null }, pool))
  ) {
    const reason = 'Default agent pool does not exist in this organization, or is not open to this project';
    faults.push(attributeFault('default-agent-pool-id', reason));
  }
  const bindings = relationships['tag-bindings'] ?? [];
  faults.push(...bindingFaults(bindings, '/data/relationships/tag-bindings/data'));
  return { changes: { ...columns(projects, attributes), ...after }, faults };
}
