/** The token of a run: the only key that its engine ever holds, made when a phase begins. */
import type { Config } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { newRunToken, tokenHash } from '../../people/tokens/secret.ts';
import { organizationAccount } from '../../people/tokens/service-account.ts';
import type { HeldRun } from './held-job.ts';
import type { JobHolder } from './holders.ts';

/** Past the time that its phase may take. */
const grace_s = 900;

/** One for each phase: what its engine may read and, while it applies, write. It ends with the phase. */
export async function issueRunToken(
  sql: Sql,
  config: Config,
  { runId, phase }: JobHolder,
  run: HeldRun,
  organizationName: string,
  timeout_s: number,
): Promise<string> {
  const secret = newRunToken();
  const [creator] = await sql<{ id: string }[]>`select users.id from users where users.id = ${run.created_by_id}`;
  // It stands for the run once its creator is gone, also after the token.
  const ofOrganization = await organizationAccount(sql, run.organization_id, organizationName);
  const userId = creator?.id ?? ofOrganization;
  await sql`delete from tokens where tokens.run_id = ${runId}`;
  await sql`
    insert into tokens ${row(sql, {
      id: newId('at'),
      kind: 'run',
      user_id: userId,
      run_id: runId,
      run_phase: phase,
      hash: tokenHash(config.tokenPepper ?? '', secret),
      expired_at: new Date(Date.now() + (timeout_s + grace_s) * 1000).toISOString(),
      created_by_type: 'users',
      created_by_id: userId,
    })}`;
  return secret;
}
