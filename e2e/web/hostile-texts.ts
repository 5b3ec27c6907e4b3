/** Every text that somebody can give an organization, each with a script in it; but for names and tags, which take no such signs. */

import type { Answer } from '../../test/app.ts';
import { signedIn, type TestAgent } from '../../test/builders/agent.ts';
import { bodyOf } from '../../test/builders/records.ts';
import { runTask, taskResult } from '../../test/builders/run-task.ts';
import { stateOf, transfer, versionBody } from '../../test/builders/state.ts';
import type { Site } from './browser.ts';
import type { Seeded } from './seeded.ts';

/** A script in every way in which a page could be made to run one, with a number to know the field by. */
export const scriptOf = (field: number) =>
  `field${field}."><img src=x onerror=window.executed=${field}><svg/onload=window.executed=${field}>` +
  `<script>window.executed=${field}</script>'\`};window.executed=${field}//javascript:window.executed=${field}`;

interface Planter extends Site {
  seeded: Seeded;
  /** The next field's text; keeps what it is of. */
  text: (field: string, most?: number) => string;
  post: (path: string, body?: unknown) => Promise<Answer>;
  patch: (path: string, body: unknown) => Promise<Answer>;
}

interface Planted {
  /** What took a script, by its number. */
  fields: Map<number, string>;
  /** A run that an agent could not plan. The one of `seeded` it could. */
  failedRun: string;
}

/** Puts a script into each field. */
export async function plantScripts(site: Site, seeded: Seeded): Promise<Planted> {
  const fields = new Map<number, string>();
  const text = (field: string, most = 4096) => {
    const number = fields.size + 1;
    fields.set(number, field);
    return scriptOf(number).slice(0, most);
  };
  const accepted = async (method: string, path: string, body?: unknown) => {
    const answer = await site.app.call(method, path, { token: site.owner.token, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const planter: Planter = {
    ...site,
    seeded,
    text,
    post: (path, body) => accepted('POST', path, body),
    patch: (path, body) => accepted('PATCH', path, body),
  };
  await plantSettings(planter);
  await plantVariables(planter);
  await plantPeople(planter);
  await plantTold(planter);
  const failedRun = await plantRuns(planter);
  await plantState(planter);
  return { fields, failedRun };
}

async function plantTold({ seeded, text, patch }: Planter): Promise<void> {
  const notification = { name: text('notification', 255) };
  await patch(
    `notification-configurations/${seeded.notification}`,
    bodyOf('notification-configurations', notification),
  );
  const provider = { label: text('button of single sign-on', 90) };
  await patch(`admin/sign-in-providers/${seeded.signInProvider}`, bodyOf('sign-in-providers', provider));
}

async function plantSettings({ seeded, text, post, patch }: Planter): Promise<void> {
  const { workspaceId: id, project } = seeded;
  await patch(
    `workspaces/${id}`,
    bodyOf('workspaces', {
      description: text('description of a workspace'),
      'working-directory': text('working directory', 250),
      'source-name': text('source of a workspace', 250),
      'trigger-patterns': [text('trigger pattern', 250)],
    }),
  );
  await patch(`projects/${project}`, bodyOf('projects', { description: text('description of a project', 256) }));
  const of = 'organizations/globex';
  await post(`${of}/ssh-keys`, bodyOf('ssh-keys', { name: text('SSH key', 255), value: text('value of an SSH key') }));
  const connection = {
    'service-provider': 'github',
    'http-url': 'https://github.com',
    'api-url': 'https://api.github.com',
  };
  await post(
    `${of}/oauth-clients`,
    bodyOf('oauth-clients', { ...connection, name: text('connection', 255), 'oauth-token-string': 'secret' }),
  );
}

async function plantVariables({ seeded, text, post }: Planter): Promise<void> {
  const variable = (field: string) =>
    bodyOf('vars', {
      key: `hostile_${field}`,
      value: text(`value of a variable of a ${field}`),
      description: text(`description of a variable of a ${field}`, 512),
      category: 'terraform',
    });
  await post(`workspaces/${seeded.workspaceId}/vars`, variable('workspace'));
  const set = await post(
    'organizations/globex/varsets',
    bodyOf('varsets', {
      name: text('variable set', 255),
      description: text('description of a set', 512),
      global: true,
    }),
  );
  seeded.variableSet = set.data.id;
  await post(`varsets/${set.data.id}/relationships/vars`, variable('set'));
}

async function plantPeople({ seeded, owner, text, post, patch }: Planter): Promise<void> {
  const token = (of: string) => bodyOf('authentication-tokens', { description: text(`token of ${of}`, 255) });
  await patch(`teams/${seeded.team}`, bodyOf('teams', { 'sso-team-id': text('team of single sign-on', 255) }));
  await post(`teams/${seeded.team}/authentication-tokens`, token('a team'));
  await post(`users/${owner.id}/authentication-tokens`, token('a person'));
}

/** A state whose every name and value is a script. */
async function plantState({ seeded, text, post }: Planter): Promise<void> {
  const path = `workspaces/${seeded.workspaceId}/state-versions`;
  await post(`workspaces/${seeded.workspaceId}/actions/lock`);
  const outputs = { [text('name of an output')]: { value: text('value of an output'), type: 'string' } };
  const resource = {
    mode: 'managed',
    module: `module.${text('module')}`,
    type: text('type of a resource'),
    name: text('name of a resource'),
    provider: `provider["${text('provider')}"]`,
    instances: [
      { index_key: text('index of a resource'), attributes: { [text('attribute')]: text('value of an attribute') } },
    ],
  };
  const state = await post(path, versionBody(stateOf({ serial: 3, outputs, resources: [resource] }), { serial: 3 }));
  Object.assign(seeded, { stateBefore: seeded.state, state: state.data.id });
  await post(`workspaces/${seeded.workspaceId}/actions/unlock`);
  await post(`workspaces/${seeded.workspaceId}/actions/lock`, { reason: text('reason of a lock') });
}

/** Two runs that an agent has taken: what it said, what one would change, and why the other failed. Returns the other. */
async function plantRuns(planter: Planter): Promise<string> {
  const { app, organization, owner, seeded, text, post, patch } = planter;
  await post(`runs/${seeded.run}/actions/discard`);
  // Nobody is at the address of the task that stands there, and the next run would wait for its answer.
  const { data: tasks } = await app.get(`workspaces/${seeded.workspaceId}/tasks`, owner.token);
  for (const { id } of tasks) await app.delete(`workspaces/${seeded.workspaceId}/tasks/${id}`, owner.token);
  const pool = await post('organizations/globex/agent-pools', bodyOf('agent-pools', { name: 'hostile' }));
  const described = bodyOf('authentication-tokens', { description: text('token of an agent', 255) });
  const { data: token } = await post(`agent-pools/${pool.data.id}/authentication-tokens`, described);
  const agent = await signedIn(app, token.attributes.token, { name: text('agent', 255) });
  const mode = { 'execution-mode': 'agent', 'agent-pool-id': pool.data.id };
  await patch(`workspaces/${seeded.workspaceId}`, bodyOf('workspaces', mode));
  const failed = await takenRun(planter, agent);
  await failed.job.finish({ outcome: 'errored', reason: text('reason of a failure', 255) });
  const task = await runTask(app, organization, { description: text('description of a run task', 255) });
  const answer = { task_name: text('name of a run task', 90), message: text('answer of a run task', 255) };
  await taskResult(app, failed.id, task, answer);
  const { id, job } = await takenRun(planter, agent);
  const change = {
    actions: ['update'],
    before: { [text('attribute of a plan')]: 'x' },
    after: { y: text('value of a plan') },
  };
  const resource = {
    address: text('address of a plan'),
    mode: 'managed',
    type: 'x',
    name: 'y',
    provider_name: 'z',
    change,
  };
  const plan = JSON.stringify({ format_version: '1.2', resource_changes: [resource], output_changes: {} });
  await job.leave('plan', 'a plan');
  await job.leave('json', plan);
  await job.leave('redacted', plan);
  await job.finish({
    outcome: 'finished',
    has_changes: true,
    resource_additions: 0,
    resource_changes: 1,
    resource_destructions: 0,
  });
  // It holds the workspace, whose state and lock are next.
  await post(`runs/${id}/actions/discard`);
  seeded.run = id;
  return failed.id;
}

/** A run whose plan the agent has begun, with what it logged. */
async function takenRun({ app, seeded, text, post }: Planter, agent: TestAgent) {
  const { data: version } = await post(
    `workspaces/${seeded.workspaceId}/configuration-versions`,
    bodyOf('configuration-versions', { 'auto-queue-runs': false }),
  );
  await transfer(app, 'PUT', version.attributes['upload-url'], Buffer.from('a slug'));
  const one = (type: string, of: string) => ({ data: { type, id: of } });
  const attributes = {
    message: text('message of a run'),
    variables: [{ key: 'hostile', value: JSON.stringify(text('variable of a run')) }],
    'target-addrs': [text('target of a run')],
  };
  const related = {
    workspace: one('workspaces', seeded.workspaceId),
    'configuration-version': one('configuration-versions', version.id),
  };
  const { data: run } = await post('runs', bodyOf('runs', attributes, related));
  await post(`runs/${run.id}/comments`, bodyOf('comments', { body: text('comment') }));
  const job = await agent.claim();
  await job!.start();
  const said = text('log');
  await job!.log(
    0,
    `\u0002${said}\n\u001b[31m${said}\u001b[0m\n\u001b]8;;javascript:window.executed=1\u0007${said}\u001b]8;;\u0007\n`,
  );
  return { id: run.id as string, job: job! };
}
