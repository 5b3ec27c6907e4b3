/** Every text that somebody can give an organization, each with a script in it; but for names and tags, which take no such signs. */

import type { Answer } from '../../test/app.ts';
import { signedIn } from '../../test/builders/agent.ts';
import { bodyOf } from '../../test/builders/records.ts';
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

/** Puts a script into each field. Returns the fields that took one, by their number. */
export async function plantScripts(site: Site, seeded: Seeded): Promise<Map<number, string>> {
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
  await plantRun(planter);
  await plantState(planter);
  return fields;
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

/** A run that an agent has planned: what it said, and what it would change. */
async function plantRun({ app, seeded, text, post, patch }: Planter): Promise<void> {
  const id = seeded.workspaceId;
  await post(`runs/${seeded.run}/actions/discard`);
  const pool = await post('organizations/globex/agent-pools', bodyOf('agent-pools', { name: 'hostile' }));
  const described = bodyOf('authentication-tokens', { description: text('token of an agent', 255) });
  const { data: token } = await post(`agent-pools/${pool.data.id}/authentication-tokens`, described);
  const agent = await signedIn(app, token.attributes.token, { name: text('agent', 255) });
  await patch(`workspaces/${id}`, bodyOf('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': pool.data.id }));
  const { data: version } = await post(
    `workspaces/${id}/configuration-versions`,
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
    workspace: one('workspaces', id),
    'configuration-version': one('configuration-versions', version.id),
  };
  const { data: run } = await post('runs', bodyOf('runs', attributes, related));
  seeded.run = run.id;
  await post(`runs/${run.id}/comments`, bodyOf('comments', { body: text('comment') }));
  const job = await agent.claim();
  await job!.start();
  const said = text('log');
  await job!.log(
    0,
    `\u0002${said}\n\u001b[31m${said}\u001b[0m\n\u001b]8;;javascript:window.executed=1\u0007${said}\u001b]8;;\u0007\n`,
  );
  const change = {
    actions: ['update'],
    before: { [text('attribute of a plan')]: 'x' },
    after: { y: text('value of a plan') },
  };
  const address = text('address of a plan');
  const resource = { address, mode: 'managed', type: 'x', name: 'y', provider_name: 'z', change };
  const plan = JSON.stringify({ format_version: '1.2', resource_changes: [resource], output_changes: {} });
  await job!.leave('json', plan);
  await job!.leave('redacted', plan);
  await job!.finish({ outcome: 'errored', reason: text('reason of a failure', 255) });
}
