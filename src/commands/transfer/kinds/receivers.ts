// Other services that are told of runs: run tasks, and who is notified. What they share with the server cannot be read.
import { notificationConfigurations } from '../../../runs/notification-configurations/notification-configuration.ts';
import { runTasks } from '../../../runs/run-tasks/run-task.ts';
import { workspaceTasks } from '../../../runs/workspace-tasks/workspace-task.ts';
import { RemoteError } from '../../remote/server.ts';
import { allNamed, attributesOf, named, organizationPath, type Place, reference, type Target } from '../place.ts';
import { type Content, changed, isObject, type Json, type Missing } from '../record.ts';
import type { Kind, Step } from './kind.ts';

export const runTaskKind: Kind = {
  type: 'tasks',
  title: 'run tasks',
  read: async place => {
    const tasks = await place.server.list(organizationPath(place, '/tasks'));
    return tasks.map(task => {
      const name = String(task.attributes['name']);
      place.directory.learn('tasks', task.id, name);
      const content = { attributes: attributesOf(task, runTasks, ['name']) };
      return { name, id: task.id, content, missing: [keyOf] };
    });
  },
  write: async (target, { record, present, note }) => {
    const attributes = record.content['attributes'] as Content;
    if (present) {
      const changes = switchedByHand(attributes, present.content['attributes'], 'the task', note);
      if (changes) await target.change('PATCH', `tasks/${present.id}`, { type: 'tasks', attributes: changes });
      return;
    }
    const data = { type: 'tasks', attributes: { name: record.name, ...attributes } };
    const id = await createOnOrOff(target, organizationPath(target, '/tasks'), data, 'the task', note);
    target.directory.learn('tasks', id, record.name);
  },
};

const keyOf: Missing = { what: 'HMAC key', why: 'if it has one, it cannot be read: put it in', toFill: true };

/** What a workspace shows its runs to, by the names of tasks, and the ids of its uses of them by the same. */
export async function readWorkspaceTasks(place: Place, path: string): Promise<Listed> {
  const listed: Listed = { content: {}, ids: new Map(), missing: [] };
  if (place.directory.namesOf('tasks').length === 0) return listed;
  for (const use of await place.server.list(`${path}/tasks`)) {
    const task = named(place, use, 'task');
    if (task === null) continue;
    const { stage, stages, ...rest } = attributesOf(use, workspaceTasks);
    listed.content[task] = { ...rest, stages: (stages ?? [stage]) as Json };
    listed.ids.set(task, use.id);
  }
  return listed;
}

interface Listed {
  content: Content;
  ids: Map<string, string>;
  missing: Missing[];
}

export async function writeWorkspaceTasks(target: Target, path: string, wanted: Content, isNew: boolean) {
  const present = isNew || Object.keys(wanted).length === 0 ? undefined : await readWorkspaceTasks(target, path);
  for (const [task, attributes] of Object.entries(changed(wanted, present?.content))) {
    const id = present?.ids.get(task);
    const data = { type: 'workspace-tasks', attributes };
    if (id) await target.change('PATCH', `${path}/tasks/${id}`, data);
    else {
      const relationships = { task: reference(target, 'tasks', task) };
      await target.change('POST', `${path}/tasks`, { ...data, relationships });
    }
  }
}

/** Who is told of what happens in each project, and who for each team. Those that tell nobody have no record. */
export const projectNotificationKind = notificationsOf('projects');
export const teamNotificationKind = notificationsOf('teams');

function notificationsOf(type: 'projects' | 'teams'): Kind {
  const path = ({ directory }: Place, name: string) => `${type}/${directory.idOf(type, name)}`;
  return {
    type: `${type}-notification-configurations`,
    title: `notifications of ${type}`,
    read: async place => {
      const all = await Promise.all(
        place.directory.namesOf(type).map(async name => {
          const { content, missing } = await readNotifications(place, path(place, name));
          return { name, id: name, content, missing };
        }),
      );
      return all.filter(({ content }) => Object.keys(content).length > 0);
    },
    write: async (target, { record, present, change, note }) =>
      writeNotifications(target, path(target, record.name), change, !present, note),
  };
}

/** Who is told of what happens in a workspace, or the like, by name; of several with one name the later ones have a number. */
export async function readNotifications(place: Place, path: string): Promise<Listed> {
  const listed: Listed = { content: {}, ids: new Map(), missing: [] };
  for (const one of await place.server.list(`${path}/notification-configurations`)) {
    const own = String(one.attributes['name']);
    let name = own;
    for (let number = 2; listed.ids.has(name); number += 1) name = `${own} (${number})`;
    const { triggers, 'email-addresses': addresses, ...rest } = attributesOf(one, notificationConfigurations);
    const users = allNamed(place, one, 'users');
    listed.content[name] = {
      ...rest,
      triggers: sorted(triggers ?? []),
      ...(isFilled(addresses) && { 'email-addresses': sorted(addresses) }),
      ...(users.length > 0 && { users }),
    };
    listed.ids.set(name, one.id);
    if (rest['destination-type'] === 'generic')
      listed.missing.push({
        what: `token of notification ${name}`,
        why: 'if it has one, it cannot be read: put it in',
        toFill: true,
      });
  }
  return listed;
}

const sorted = (values: unknown) => [...(values as string[])].sort();
const isFilled = (values: unknown) => Array.isArray(values) && values.length > 0;

export async function writeNotifications(
  target: Target,
  path: string,
  wanted: Content,
  isNew: boolean,
  note: Step['note'],
): Promise<void> {
  const present = isNew || Object.keys(wanted).length === 0 ? undefined : await readNotifications(target, path);
  for (const [name, one] of Object.entries(changed(wanted, present?.content))) {
    const id = present?.ids.get(name);
    const what = `notification ${name}`;
    const given = id ? switchedByHand(one as Content, present?.content[name], what, note) : (one as Content);
    if (!given) continue;
    const data = notificationBody(target, given);
    if (id) await target.change('PATCH', `notification-configurations/${id}`, data);
    else await createOnOrOff(target, `${path}/notification-configurations`, data, what, note);
  }
}

function notificationBody(target: Target, { users, ...attributes }: Content) {
  const ids = ((users ?? []) as string[]).map(email => ({ type: 'users', id: target.directory.idOf('users', email) }));
  const relationships = users ? { relationships: { users: { data: ids } } } : {};
  return { type: 'notification-configurations', attributes, ...relationships };
}

/** What differs, but for the switch where somebody has it off here: without its secret it is not turned on. */
function switchedByHand(wanted: Content, had: unknown, what: string, note: Step['note']): Content | undefined {
  const present = isObject(had as Content) ? (had as Content) : {};
  const { enabled, ...others } = changed(wanted, present);
  const staysOff = enabled === true && present['enabled'] === false;
  if (staysOff) note({ what, why: 'it is off here: put its secret in, and turn it on', toFill: true });
  const changes = { ...others, ...(enabled !== undefined && !staysOff && { enabled }) };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** The server tries the address of what is on. What a receiver refuses, unsigned as it is, is made turned off. */
async function createOnOrOff(
  target: Target,
  path: string,
  data: { attributes: Content },
  what: string,
  note: Step['note'],
): Promise<string> {
  try {
    return (await target.create(path, data)).id;
  } catch (error) {
    const isRefused = error instanceof RemoteError && [400, 422].includes(error.status);
    if (!isRefused || data.attributes['enabled'] !== true) throw error;
    const off = { ...data, attributes: { ...data.attributes, enabled: false } };
    const { id } = await target.create(path, off).catch(() => Promise.reject(error));
    note({ what, why: `made, but turned off: ${error.message}. Put its secret in, and turn it on`, toFill: true });
    return id;
  }
}
