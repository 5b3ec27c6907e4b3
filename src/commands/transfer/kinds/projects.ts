// Projects, with their tags and what teams may do in them.
import { projects } from '../../../workspaces/projects/project.ts';
import { teamProjects } from '../../../workspaces/team-projects/team-project.ts';
import type { Resource } from '../../remote/server.ts';
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
import type { Content } from '../record.ts';
import type { Kind, Step } from './kind.ts';

export const projectKind: Kind = {
  type: 'projects',
  title: 'projects',
  read: async place => {
    const documents = await place.server.list(organizationPath(place, '/projects'));
    for (const { id, attributes } of documents) place.directory.learn('projects', id, String(attributes['name']));
    return Promise.all(
      documents.map(async document => ({
        name: String(document.attributes['name']),
        id: document.id,
        content: {
          attributes: ownSettings(document),
          'default-agent-pool': named(place, document, 'default-agent-pool'),
          'tag-bindings': await tagBindings(place, `projects/${document.id}`),
        },
        missing: [],
      })),
    );
  },
  write: async (target, step) => {
    const { record, present } = step;
    const attributes = { name: record.name, ...(record.content['attributes'] as object) };
    const pool = record.content['default-agent-pool'] as string | null;
    const relationships = pool ? { 'default-agent-pool': reference(target, 'agent-pools', pool) } : {};
    const data = { type: 'projects', attributes, relationships };
    if (present) await target.change('PATCH', `projects/${present.id}`, data);
    else {
      const { id } = await target.create(organizationPath(target, '/projects'), data, record.id);
      target.directory.learn('projects', id, record.name);
    }
    await bind(target, `projects/${target.directory.idOf('projects', record.name)}`, step);
  },
};

/** What the project inherits is not its own to write: a server says so by `setting-overwrites`. */
function ownSettings(document: Resource): Content {
  const overwrites = document.attributes['setting-overwrites'] as Record<string, boolean> | undefined;
  const inherited = overwrites?.['default-execution-mode'] === false ? ['default-execution-mode'] : [];
  const aliases = ['name', 'default-agent-pool-id', 'setting-overwrites'];
  return attributesOf(document, projects, [...aliases, ...inherited]);
}

export async function bind(target: Target, path: string, { change }: Step): Promise<void> {
  const bindings = change['tag-bindings'] as Content | undefined;
  if (bindings && Object.keys(bindings).length > 0)
    await target.change('PATCH', `${path}/tag-bindings`, bindingsBody(bindings).data);
}

export const teamProjectKind: Kind = {
  type: 'team-projects',
  title: 'accesses of teams to projects',
  read: async place => {
    const documents = await place.server.list(organizationPath(place, '/projects'));
    const lists = await Promise.all(
      documents.map(({ id }) => place.server.list(`team-projects?filter%5Bproject%5D%5Bid%5D=${id}`)),
    );
    return lists.flat().flatMap(access => asRecord(place, access));
  },
  write: async (target, { record, present }) => {
    const { team, project, ...attributes } = record.content;
    const relationships = {
      team: reference(target, 'teams', String(team)),
      project: reference(target, 'projects', String(project)),
    };
    if (present) await target.change('PATCH', `team-projects/${present.id}`, { type: 'team-projects', attributes });
    else await target.create('team-projects', { type: 'team-projects', attributes, relationships });
  },
};

/** The details follow from the level, unless it is custom. */
function asRecord(place: Place, access: Resource) {
  const [team, project] = [named(place, access, 'team'), named(place, access, 'project')];
  if (!team || !project) return [];
  const { 'project-access': inProject, 'workspace-access': inWorkspaces } = attributesOf(access, teamProjects);
  const level = access.attributes['access'] as string;
  const details = level === 'custom' ? { 'project-access': inProject!, 'workspace-access': inWorkspaces! } : {};
  const content = { team, project, access: level, ...details };
  return [{ name: `${team} in ${project}`, id: access.id, content, missing: [] }];
}
