/** Runs and states: of one workspace everything, as an agent leaves it; of others a run in each status. */

import type { RunStatus } from '../../src/runs/queue/statuses.ts';
import { signedIn, type TestAgent } from '../../test/builders/agent.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { move, run } from '../../test/builders/run.ts';
import { stateOf, transfer, versionBody } from '../../test/builders/state.ts';
import type { Site } from './browser.ts';

const planned = ['plan_queued', 'planning', 'planned'] as const;
/** The ways that runs go, and how far. */
const ways: readonly (readonly RunStatus[])[] = [
  [...planned, 'confirmed', 'apply_queued', 'applying', 'applied'],
  ['plan_queued', 'planning', 'planned_and_finished'],
  planned,
  ['plan_queued', 'planning', 'errored'],
  ['plan_queued', 'planning'],
  ['plan_queued'],
  [...planned, 'discarded'],
  [...planned, 'confirmed', 'apply_queued', 'applying', 'applied'],
];
const most = 40;

export async function seedRuns(site: Site, workspaceId: string, poolId: string) {
  const { app, organization, owner } = site;
  const path = `organizations/${organization.name}/workspaces?page[size]=${most}&filter[locked]=false`;
  const { data: others } = await app.get(path, owner.token);
  for (const [index, { id }] of others.entries()) {
    if (id === workspaceId) continue;
    const begun = await run(app, organization, id, { message: messages[index % messages.length]! });
    await move(app, begun, ...ways[index % ways.length]!);
  }
  await app.patch(
    `workspaces/${workspaceId}`,
    owner.token,
    bodyOf('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': poolId }),
  );
  const states = await seedStates(site, workspaceId);
  const named = bodyOf('authentication-tokens', { description: 'the rack downstairs' });
  const made = await app.post(`agent-pools/${poolId}/authentication-tokens`, owner.token, named);
  const agent = await signedIn(app, made.data.attributes.token, { name: 'rack-1' });
  const first = await plan(site, workspaceId, agent, 'Widen the subnet');
  await app.post(`runs/${first}/actions/apply`, owner.token, { comment: 'Seen with the network team' });
  const apply = await agent.claim();
  await apply!.start();
  await apply!.log(0, 'aws_subnet.main: Modifying...\naws_subnet.main: Modifications complete after 2s\n');
  await apply!.finish({ outcome: 'finished', resource_changes: 1 });
  return { ...states, run: await plan(site, workspaceId, agent, 'Replace the gateway') };
}

const messages = ['Bump the base image', 'Rotate the certificates', 'Add a replica', 'Nightly drift check'];

async function seedStates({ app, owner: { token } }: Site, workspaceId: string) {
  await app.post(`workspaces/${workspaceId}/actions/lock`, token);
  const ids: string[] = [];
  for (const serial of [1, 2]) {
    const instances = Array.from({ length: serial * 2 }, (_, index) => ({
      index_key: index,
      attributes: { id: `subnet-${index}`, cidr_block: `10.${index}.${serial}.0/24`, tags: { env: 'production' } },
      sensitive_attributes: [],
    }));
    const block = { mode: 'managed', type: 'aws_subnet', name: 'main', provider: 'provider["example/aws"]', instances };
    const outputs = {
      network: { value: `10.${serial}.0.0/16`, type: 'string' },
      password: { value: 'hidden', type: 'string', sensitive: true },
    };
    const body = versionBody(stateOf({ serial, resources: [block], outputs }), { serial });
    ids.push((await app.post(`workspaces/${workspaceId}/state-versions`, token, body)).data.id);
  }
  await app.post(`workspaces/${workspaceId}/actions/unlock`, token);
  return { stateBefore: ids[0]!, state: ids[1]! };
}

const resource = (address: string, actions: string[], before: object | null, after: object | null) => ({
  address,
  mode: 'managed',
  type: address.split('.')[0]!,
  name: address.split('.')[1]!,
  provider_name: 'example/aws',
  change: { actions, before, after, after_unknown: {}, before_sensitive: {}, after_sensitive: {} },
});

const plan_json = JSON.stringify({
  format_version: '1.2',
  resource_changes: [
    resource('aws_nat_gateway.main', ['delete', 'create'], { zone: 'a' }, { zone: 'b' }),
    resource(
      'aws_subnet.main',
      ['update'],
      { cidr_block: '10.0.1.0/24', size: 2 },
      { cidr_block: '10.0.2.0/24', size: 2 },
    ),
    resource('aws_route.private', ['create'], null, { destination: '0.0.0.0/0' }),
  ],
  output_changes: { network: { actions: ['update'], before: '10.1.0.0/16', after: '10.2.0.0/16' } },
});

/** A run that has been planned by the agent and waits for somebody's word; returns its id. */
async function plan({ app, owner }: Site, workspaceId: string, agent: TestAgent, message: string): Promise<string> {
  const version = await app.post(
    `workspaces/${workspaceId}/configuration-versions`,
    owner.token,
    bodyOf('configuration-versions', { 'auto-queue-runs': false }),
  );
  await transfer(app, 'PUT', version.data.attributes['upload-url'], Buffer.from('a configuration'));
  const one = (type: string, id: string) => ({ data: { type, id } });
  const made = await app.post(
    'runs',
    owner.token,
    bodyOf(
      'runs',
      { message },
      {
        workspace: one('workspaces', workspaceId),
        'configuration-version': one('configuration-versions', version.data.id),
      },
    ),
  );
  const job = await agent.claim();
  await job!.start();
  const lines = Array.from(
    { length: 40 },
    (_, line) => `aws_subnet.main[${line}]: Refreshing state... [id=subnet-${line}]`,
  );
  await job!.log(
    0,
    `\u001b[1mTerraform v1.9.0\u001b[0m\n${lines.join('\n')}\n\u001b[32mPlan: 1 to add, 1 to change, 1 to destroy.\u001b[0m\n`,
  );
  await job!.leave('plan', 'a plan');
  await job!.leave('json', plan_json);
  await job!.leave('redacted', plan_json);
  await job!.finish({
    outcome: 'finished',
    has_changes: true,
    resource_additions: 2,
    resource_changes: 1,
    resource_destructions: 1,
  });
  await app.post(`runs/${made.data.id}/comments`, owner.token, bodyOf('comments', { body: 'Looks as expected.' }));
  return made.data.id;
}
