// Workspaces: settings, tags, variables, what teams may do in them, retention, and whom they know among each other.
import { teamWorkspaces } from '../../../workspaces/team-workspaces/team-workspace.ts';
import { workspaces } from '../../../workspaces/workspaces/workspace.ts';
import type { Identifier, Resource } from '../../remote/server.ts';
import {
  attributesOf,
  bindingsBody,
  named,
  organizationPath,
  type Place,
  reference,
  type Target,
  tagBindings,
} from '../place.ts';
import { type Content, isObject, type Json, type Missing, type MovedRecord } from '../record.ts';
import type { Step } from './kind.ts';
import { bind } from './projects.ts';
import { readNotifications, readWorkspaceTasks, writeNotifications, writeWorkspaceTasks } from './receivers.ts';
import { readVariables, writeVariables } from './variables.ts';

// Said in another way below, or an older word for what is said already.
const saidElsewhere = ['name', 'operations', 'engine-version', 'agent-pool-id', 'setting-overwrites', 'vcs-repo'];

export async function readWorkspace(place: Place, document: Resource): Promise<MovedRecord> {
  const path = `workspaces/${document.id}`;
  const [variables, bindings, access, retention, consumers, tasks, notifications, triggers] = await Promise.all([
    readVariables(place, `${path}/vars`),
    tagBindings(place, path),
    readAccess(place, document.id),
    readRetention(place, document),
    readConsumers(place, document),
    readWorkspaceTasks(place, path),
    readNotifications(place, path),
    place.server.list(`${path}/run-triggers?filter%5Brun-trigger%5D%5Btype%5D=inbound`),
  ]);
  const repository = readRepository(place, document);
  return {
    name: String(document.attributes['name']),
    id: document.id,
    content: {
      attributes: ownSettings(document),
      project: named(place, document, 'project'),
      'agent-pool': named(place, document, 'agent-pool'),
      'ssh-key': named(place, document, 'ssh-key'),
      'vcs-repo': repository.content,
      tags: [...((document.attributes['tag-names'] ?? []) as string[])].sort(),
      'tag-bindings': bindings,
      vars: variables.content,
      'team-access': access,
      'data-retention-policy': retention,
      consumers,
      'run-tasks': tasks.content,
      notifications: notifications.content,
      triggers: triggers.map(({ attributes }) => String(attributes['sourceable-name'])).sort(),
    },
    missing: [...variables.missing, ...repository.missing, ...notifications.missing, ...lockOf(document)],
  };
}

function lockOf({ attributes }: Resource): Missing[] {
  if (attributes['locked'] !== true) return [];
  const reason = attributes['locked-reason'] ? ` (${attributes['locked-reason']})` : '';
  return [{ what: 'lock', why: `it is locked there${reason}, and open here`, toFill: false }];
}

/** Without what it inherits from its project. */
function ownSettings(document: Resource): Content {
  const { 'setting-overwrites': overwrites, 'inherits-project-auto-destroy': inheritsEnd } = document.attributes;
  const inheritsMode = (overwrites as Record<string, boolean> | undefined)?.['execution-mode'] === false;
  const inherited = [
    ...(inheritsMode ? ['execution-mode'] : []),
    ...(inheritsEnd === true ? ['auto-destroy-activity-duration'] : []),
  ];
  return attributesOf(document, workspaces, [...saidElsewhere, ...inherited]);
}

function readRepository(place: Place, document: Resource): { content: Json; missing: Missing[] } {
  const repository = document.attributes['vcs-repo'] as Content | null | undefined;
  if (!repository) return { content: null, missing: [] };
  const { identifier, branch, 'ingress-submodules': submodules, 'tags-regex': tags } = repository;
  const connection = place.directory.nameOf('oauth-tokens', String(repository['oauth-token-id']));
  const why = 'the connection that it names cannot be read: connect the repository anew';
  if (!connection) return { content: null, missing: [{ what: `repository ${identifier}`, why, toFill: true }] };
  const content = { connection, identifier, branch, 'ingress-submodules': submodules, 'tags-regex': tags };
  return { content: content as Content, missing: [] };
}

async function readAccess(place: Place, id: string): Promise<Content> {
  const accesses = await place.server.list(`team-workspaces?filter%5Bworkspace%5D%5Bid%5D=${id}`);
  const entries = accesses.flatMap(access => {
    const team = named(place, access, 'team');
    const { access: level, ...details } = attributesOf(access, teamWorkspaces);
    return team ? [[team, level === 'custom' ? { access: level, ...details } : { access: level! }] as const] : [];
  });
  return Object.fromEntries(entries);
}

async function readRetention({ server }: Place, { id, relationships }: Resource): Promise<Json> {
  const own = relationships?.['data-retention-policy-choice'] ?? relationships?.['data-retention-policy'];
  if (!own?.data) return null;
  const policy = await server.find(`workspaces/${id}/relationships/data-retention-policy`);
  if (!policy) return null;
  const days = policy.attributes['delete-older-than-n-days'] ?? policy.attributes['deleteOlderThanNDays'] ?? null;
  return { type: (own.data as Identifier).type, days: days as number | null };
}

async function readConsumers(place: Place, { id, attributes }: Resource): Promise<string[]> {
  if (attributes['global-remote-state'] !== false) return [];
  const consumers = await place.server.list(`workspaces/${id}/relationships/remote-state-consumers`);
  return consumers.map(consumer => String(consumer.attributes['name'])).sort();
}

export async function writeWorkspace(target: Target, step: Step): Promise<void> {
  const { record, present, change, note } = step;
  const { content } = record;
  const isChanged = ['attributes', 'project', 'agent-pool', 'vcs-repo'].some(name => name in change);
  if (!present) {
    const tags = { data: (content['tags'] as string[]).map(name => ({ type: 'tags', attributes: { name } })) };
    const data = settingsBody(target, record, { tags, 'tag-bindings': bindingsBody(content['tag-bindings']) });
    const { id } = await target.create(organizationPath(target, '/workspaces'), data, record.id);
    target.directory.learn('workspaces', id, record.name);
  } else if (isChanged) {
    await target.change('PATCH', `workspaces/${present.id}`, settingsBody(target, record, {}));
  }
  const id = target.directory.idOf('workspaces', record.name);
  if (present) await writeTags(target, step, `workspaces/${id}`);
  await writeVariables(target, `workspaces/${id}/vars`, (change['vars'] ?? {}) as Content, !present);
  await writeAccess(target, id, step);
  await writeRest(target, `workspaces/${id}`, change);
  await writeWorkspaceTasks(target, `workspaces/${id}`, (change['run-tasks'] ?? {}) as Content, !present);
  await writeNotifications(target, `workspaces/${id}`, (change['notifications'] ?? {}) as Content, !present, note);
}

function settingsBody(target: Target, { name, content }: MovedRecord, more: object): object {
  const { attributes, project, 'agent-pool': pool, 'vcs-repo': repository } = content;
  return {
    type: 'workspaces',
    attributes: {
      name,
      ...(attributes as object),
      ...(pool && isObject(attributes) && attributes['execution-mode'] === 'agent'
        ? { 'agent-pool-id': target.directory.idOf('agent-pools', String(pool)) }
        : {}),
      ...(isObject(repository) ? { 'vcs-repo': repositoryBody(target, repository) } : {}),
    },
    relationships: { ...(project ? { project: reference(target, 'projects', String(project)) } : {}), ...more },
  };
}

function repositoryBody({ directory }: Target, { connection, ...repository }: Content): object {
  return { ...repository, 'oauth-token-id': directory.idOf('oauth-tokens', String(connection)) };
}

async function writeTags(target: Target, step: Step, path: string): Promise<void> {
  const tags = (step.change['tags'] ?? []) as string[];
  if (tags.length > 0) {
    const data = tags.map(name => ({ type: 'tags', attributes: { name } }));
    await target.change('POST', `${path}/relationships/tags`, data);
  }
  await bind(target, path, step);
}

async function writeAccess(target: Target, id: string, { present, change }: Step): Promise<void> {
  const wanted = Object.entries((change['team-access'] ?? {}) as Content);
  const had = present?.content['team-access'];
  const accesses =
    isObject(had) && wanted.length > 0
      ? await target.server.list(`team-workspaces?filter%5Bworkspace%5D%5Bid%5D=${id}`)
      : [];
  for (const [team, attributes] of wanted) {
    const access = accesses.find(known => named(target, known, 'team') === team);
    if (access) {
      await target.change('PATCH', `team-workspaces/${access.id}`, { type: 'team-workspaces', attributes });
      continue;
    }
    const relationships = {
      team: reference(target, 'teams', team),
      workspace: { data: { type: 'workspaces', id } },
    };
    await target.change('POST', 'team-workspaces', { type: 'team-workspaces', attributes, relationships });
  }
}

async function writeRest(target: Target, path: string, change: Content): Promise<void> {
  const { 'ssh-key': key, 'data-retention-policy': policy } = change;
  if (key) {
    const attributes = { id: target.directory.idOf('ssh-keys', String(key)) };
    await target.change('PATCH', `${path}/relationships/ssh-key`, { type: 'workspaces', attributes });
  }
  if (isObject(policy)) {
    const attributes = policy['days'] === null ? {} : { 'delete-older-than-n-days': policy['days'] };
    await target.change('POST', `${path}/relationships/data-retention-policy`, { type: policy['type'], attributes });
  }
}

/** What names other workspaces. */
export async function linkWorkspace(target: Target, { record, present, change }: Step): Promise<void> {
  const id = target.directory.idOf('workspaces', record.name);
  const consumers = (change['consumers'] ?? []) as string[];
  const ids = (names: string[]) =>
    names.map(name => ({ type: 'workspaces', id: target.directory.idOf('workspaces', name) }));
  if (consumers.length > 0)
    await target.change('POST', `workspaces/${id}/relationships/remote-state-consumers`, ids(consumers));
  const had = (present?.content['triggers'] ?? []) as string[];
  for (const name of ((change['triggers'] ?? []) as string[]).filter(name => !had.includes(name))) {
    const sourceable = { data: ids([name])[0] };
    const data = { type: 'run-triggers', relationships: { sourceable } };
    await target.change('POST', `workspaces/${id}/run-triggers`, data);
  }
}
