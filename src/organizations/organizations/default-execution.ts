/** §4.2 Where inheritance begins: the organization's default execution mode, and the agent pool that goes with `agent`. */
import { attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { toOne } from '../../core/jsonapi/body.ts';
import type { Sql } from '../../core/store/store.ts';
import type { ExecutionMode } from './organization.ts';

export interface DefaultExecution {
  mode: ExecutionMode;
  agentPoolId: string | null;
}

/** What a body says about it; undefined where it is silent. */
export interface DefaultExecutionGiven {
  mode: ExecutionMode | undefined;
  agentPoolId: string | null | undefined;
}

/** Answers name the pool as a relationship; clients send it so, the documentation as an attribute. */
export const defaultExecutionLinks = { 'default-agent-pool': toOne('agent-pools') };

/** Reads the mode and the pool out of a body, in either form of the latter. An empty text is no pool. */
export function readDefaultExecution(
  attributes: { 'default-execution-mode'?: ExecutionMode; 'default-agent-pool-id'?: string | null },
  relationships: { 'default-agent-pool'?: string | null },
  faults: Fault[],
): DefaultExecutionGiven {
  const asAttribute = emptyIsNull(attributes['default-agent-pool-id']);
  const asRelationship = emptyIsNull(relationships['default-agent-pool']);
  if (asAttribute !== undefined && asRelationship !== undefined && asAttribute !== asRelationship) {
    const reason = 'Default agent pool must be the same as an attribute and as a relationship';
    faults.push(relationshipFault('default-agent-pool', reason));
  }
  return { mode: attributes['default-execution-mode'], agentPoolId: asRelationship ?? asAttribute };
}

const emptyIsNull = (id: string | null | undefined) => (id === '' ? null : id);

/** What the settings become, or why they cannot. A mode without agents lets go of the pool. */
export function settleDefaultExecution(
  before: DefaultExecution,
  given: DefaultExecutionGiven,
): { settled: DefaultExecution; faults: Fault[] } {
  const mode = given.mode ?? before.mode;
  if (mode !== 'agent') {
    const isPoolGiven = (given.agentPoolId ?? null) !== null;
    const reason = "Default agent pool must not be specified unless using 'agent' execution mode";
    return {
      settled: { mode, agentPoolId: null },
      faults: isPoolGiven ? [attributeFault('default-agent-pool-id', reason)] : [],
    };
  }
  const agentPoolId = given.agentPoolId === undefined ? before.agentPoolId : given.agentPoolId;
  const reason = "Default agent pool must be specified when using 'agent' execution mode";
  return {
    settled: { mode, agentPoolId },
    faults: agentPoolId === null ? [attributeFault('default-execution-mode', reason)] : [],
  };
}

/** The pool must exist in the organization and be open to all of it; held so that it stays until the transaction ends. */
export async function agentPoolFaults(sql: Sql, organizationId: string, id: string | null): Promise<Fault[]> {
  if (id === null) return [];
  const [found] = await sql`
    select agent_pools.id from agent_pools
    where agent_pools.id = ${id} and agent_pools.organization_id = ${organizationId} and agent_pools.organization_scoped
    for key share`;
  return found
    ? []
    : [
        attributeFault(
          'default-agent-pool-id',
          'Default agent pool does not exist, or is not open to the organization',
        ),
      ];
}
