/** §4.2 one level up: a project's own execution mode and agent pool, or the organization's. Pure. */

import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

/** Clients know the first pair of keys, the vendor's documentation the second: both are read and returned. */
export const overwrites = ['default-execution-mode', 'default-agent-pool', 'execution-mode', 'agent-pool'] as const;
export type SettingOverwrites = Partial<Record<(typeof overwrites)[number], boolean>>;

type Mode = 'remote' | 'local' | 'agent';

/** What a body asks. */
export interface ModeGiven {
  mode: Mode | undefined;
  /** As attribute and as relationship; an empty one counts as not given. */
  pools: readonly (string | null | undefined)[];
  overwrites: SettingOverwrites | undefined;
}

/** What is stored; mode and pool are null while the project follows its organization. */
export interface OwnMode {
  overwrites_execution_mode: boolean;
  default_execution_mode: Mode | null;
  default_agent_pool_id: string | null;
}

/** A new project follows its organization until it says otherwise. */
export const followingOrganization: OwnMode = {
  overwrites_execution_mode: false,
  default_execution_mode: null,
  default_agent_pool_id: null,
};

/** Naming a mode makes it the project's own; `setting-overwrites` false goes back to the organization's. */
export function settleMode(given: ModeGiven, before: OwnMode): { after: OwnMode; faults: Fault[] } {
  const { mode, overwrites } = given;
  const refusal = (attribute: string, reason: string) => ({
    after: before,
    faults: [attributeFault(attribute, reason)],
  });
  const flags = new Set(Object.values(overwrites ?? {}));
  if (flags.size > 1) {
    const reason =
      'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.';
    return refusal('setting-overwrites', reason);
  }
  const pools = new Set(given.pools.filter(pool => pool));
  if (pools.size > 1) {
    return refusal('default-agent-pool-id', 'Default agent pool differs between attribute and relationship');
  }
  if (flags.has(false)) return { after: followingOrganization, faults: [] };
  const [pool] = pools;
  const chosen = mode ?? before.default_execution_mode;
  if (flags.has(true) && !chosen) {
    return refusal('default-execution-mode', 'Default execution mode must be given when it is to be overwritten');
  }
  if (pool && chosen !== 'agent') {
    const reason = "Default agent pool must not be specified unless using 'agent' execution mode";
    return refusal('default-agent-pool-id', reason);
  }
  if (!chosen) return { after: before, faults: [] };
  const after: OwnMode = {
    overwrites_execution_mode: true,
    default_execution_mode: chosen,
    default_agent_pool_id: chosen === 'agent' ? (pool ?? before.default_agent_pool_id) : null,
  };
  if (chosen !== 'agent' || after.default_agent_pool_id) return { after, faults: [] };
  return refusal('default-agent-pool-id', "Default agent pool must be specified when using 'agent' execution mode");
}

/** The execution mode in effect in a project: its own while it overwrites, else the organization's. */
export const projectExecutionMode = (sql: Sql): Fragment => sql`
  case when projects.overwrites_execution_mode then projects.default_execution_mode
    else organizations.default_execution_mode end`;

/** The agent pool that goes with `projectExecutionMode`; null unless that is `agent`. */
export const projectAgentPool = (sql: Sql): Fragment => sql`
  case when projects.overwrites_execution_mode
      then case when projects.default_execution_mode = 'agent' then projects.default_agent_pool_id end
    when organizations.default_execution_mode = 'agent' then organizations.default_agent_pool_id end`;
