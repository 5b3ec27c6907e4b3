/** Requests to run tasks, signed by the key that they share with us. */
import { createHmac } from 'node:crypto';
import type { Config } from '../../core/config.ts';
import { fetchOutside } from '../../core/outbound.ts';

/** Null where it was taken, with 200 and no other status; else why not, as the end of a sentence. */
export async function askTask(
  config: Config,
  { url, key }: { url: string; key: string | null },
  payload: object,
): Promise<string | null> {
  const body = JSON.stringify(payload);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Terrane',
    'x-tfc-task-signature': key ? createHmac('sha512', key).update(body).digest('hex') : '',
  };
  try {
    const answer = await fetchOutside(config, url, { method: 'POST', headers, body });
    await answer.body?.cancel();
    return answer.status === 200 ? null : `it answered ${answer.status}, not 200`;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

/** What a task is asked before it is saved: it is about nothing, and no result is expected. */
export const trialRequest = (organizationName: string, publicUrl: string) => ({
  payload_version: 1,
  stage: 'test',
  access_token: 'test-token',
  capabilities: { outcomes: false },
  configuration_version_id: null,
  configuration_version_download_url: null,
  is_speculative: false,
  organization_name: organizationName,
  run_app_url: publicUrl,
  run_created_at: new Date().toISOString(),
  run_created_by: null,
  run_id: 'run-test',
  run_message: 'Verification of a run task',
  task_result_callback_url: null,
  task_result_enforcement_level: 'advisory',
  task_result_id: null,
  workspace_app_url: publicUrl,
  workspace_id: null,
  workspace_name: null,
  workspace_working_directory: null,
});
