/** What bodies say of a run task. */
import type { Config } from '../../core/config.ts';
import { ApiError, attributeFault, type Fault, relationshipFault } from '../../core/errors.ts';
import { toOne, type WriteOf } from '../../core/jsonapi/body.ts';
import { columns } from '../../core/jsonapi/resource.ts';
import { seal } from '../../core/store/secrets.ts';
import { askTask, trialRequest } from './request.ts';
import { type given, runTasks, sealContext } from './run-task.ts';

export type Given = WriteOf<(typeof given)['attributes']>;

export const givenLinks = { 'agent-pool': toOne('agent-pools') };

/** Those of which the body is silent stay. An empty key is none. */
export function columnsFrom(config: Config, id: string, attributes: Given): Record<string, unknown> {
  const key = attributes['hmac-key'];
  return {
    ...columns(runTasks, attributes),
    sealed_hmac_key: key === undefined ? undefined : key ? seal(config, key, sealContext(id)) : null,
  };
}

export function settingFaults({ url }: Given, links: { 'agent-pool'?: string | null }): Fault[] {
  const parsed = url !== undefined && URL.canParse(url) ? new URL(url) : null;
  const isUsable = url === undefined || (parsed !== null && parsed.username === '' && parsed.password === '');
  return [
    ...(isUsable ? [] : [attributeFault('url', 'Url must not hold a name and a password')]),
    ...(links['agent-pool']
      ? [relationshipFault('agent-pool', 'The provided agent pool does not exist: agents forward no requests')]
      : []),
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
