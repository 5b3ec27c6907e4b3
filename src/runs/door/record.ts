/** What agents did, in the audit trail: in the name of the agent that held the job. */

import type { Sql } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import type { CallContext } from './call.ts';
import type { IngressHolder, JobHolder } from './holders.ts';

export async function recordJobEvent(
  sql: Sql,
  {
    holder,
    requestId,
    remoteAddress,
  }: Pick<CallContext<JobHolder | IngressHolder, unknown>, 'holder' | 'requestId' | 'remoteAddress'>,
  operation: string,
  notes: Record<string, unknown>,
): Promise<void> {
  const [agent] = await sql<{ id: string; name: string }[]>`
    select agents.id, agents.name from jobs join agents on agents.id = jobs.agent_id where jobs.id = ${holder.jobId}`;
  await recordEvent(sql, {
    operation,
    actor: { kind: 'agent', userId: agent?.id ?? 'agent', username: agent?.name ?? 'agent', tokenId: null },
    subject: { id: 'runId' in holder ? holder.runId : holder.versionId, organization_id: holder.organizationId },
    result: null,
    notes,
    requestId,
    remoteAddress,
  });
}
