/** Who stands at the agents' door, as their tokens say. */
import type { PhaseName } from '../queue/jobs.ts';

export interface PoolHolder {
  /** Null for agents of the server itself. */
  poolId: string | null;
  tokenId: string | null;
}

export interface AgentHolder {
  agentId: string;
  /** Both null for an agent of the server itself. */
  poolId: string | null;
  organizationId: string | null;
  hasGit: boolean;
}

export interface JobHolder {
  jobId: string;
  runId: string;
  workspaceId: string;
  organizationId: string;
  planId: string;
  applyId: string | null;
  phase: PhaseName;
  status: 'allocated' | 'running' | 'over';
  outcome: string | null;
  /** Whether somebody wants its run to stop. */
  isCanceled: boolean;
}

/** Of a job that fetches the content of a configuration version. */
export interface IngressHolder {
  jobId: string;
  versionId: string;
  workspaceId: string;
  organizationId: string;
  status: JobHolder['status'];
  outcome: string | null;
  /** Whether the server's own agent holds it. */
  isBuiltIn: boolean;
}

/** Whose token opens the call: that of a pool, that of an agent, or that of a job of either kind which an agent holds. */
export interface Holders {
  pool: PoolHolder;
  agent: AgentHolder;
  job: JobHolder;
  ingress: IngressHolder;
}
