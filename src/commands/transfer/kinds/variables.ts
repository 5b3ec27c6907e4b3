// Variables, of workspaces and of sets, and the sets. Of a sensitive variable everything but its value is there to read.
import { variableSets } from '../../../workspaces/variable-sets/variable-set.ts';
import { variables } from '../../../workspaces/variables/variable.ts';
import {
  allNamed,
  attributesOf,
  named,
  organizationPath,
  type Place,
  reference,
  references,
  type Target,
} from '../place.ts';
import { type Content, changed, type Missing } from '../record.ts';
import type { Kind } from './kind.ts';

/** The variables of a list by category and key, their ids by the same, and those whose value has to be filled in. */
export async function readVariables(
  { server }: Place,
  path: string,
): Promise<{ content: Content; ids: Map<string, string>; missing: Missing[] }> {
  const documents = await server.list(path);
  const content: Content = {};
  const missing: Missing[] = [];
  const ids = new Map<string, string>();
  for (const document of documents) {
    const name = `${document.attributes['category']} ${document.attributes['key']}`;
    const isSensitive = document.attributes['sensitive'] === true;
    content[name] = attributesOf(document, variables, isSensitive ? ['value'] : []);
    ids.set(name, document.id);
    if (isSensitive)
      missing.push({ what: `variable ${name}`, why: 'it is sensitive: its value cannot be read', toFill: true });
  }
  return { content, ids, missing };
}

/** Those that are missing are made, a sensitive one empty; those that differ are changed. */
export async function writeVariables(target: Target, path: string, wanted: Content, isNew: boolean): Promise<void> {
  const present = isNew ? undefined : await readVariables(target, path);
  for (const [name, attributes] of Object.entries(changed(wanted, present?.content))) {
    const id = present?.ids.get(name);
    const data = { type: 'vars', attributes };
    if (id) await target.change('PATCH', `${path}/${id}`, data);
    else await target.change('POST', path, data);
  }
}

export const variableSetKind: Kind = {
  type: 'varsets',
  title: 'variable sets',
  read: async place => {
    const documents = await place.server.list(organizationPath(place, '/varsets'));
    return Promise.all(
      documents.map(async document => {
        const name = String(document.attributes['name']);
        place.directory.learn('varsets', document.id, name);
        const parent = named(place, document, 'parent');
        const { content: vars, missing } = await readVariables(place, `varsets/${document.id}/relationships/vars`);
        const content = {
          attributes: attributesOf(document, variableSets, ['name']),
          'parent-project': parent,
          vars,
          projects: allNamed(place, document, 'projects'),
          workspaces: allNamed(place, document, 'workspaces'),
        };
        return { name, id: document.id, content, missing };
      }),
    );
  },
  write: async (target, { record, present, change }) => {
    const { attributes: given, 'parent-project': project, projects } = record.content;
    const attributes = { name: record.name, ...(given as object) };
    const parent = project ? { parent: reference(target, 'projects', String(project)) } : {};
    if (present && change['attributes'])
      await target.change('PATCH', `varsets/${present.id}`, { type: 'varsets', attributes });
    if (!present) {
      const relationships = { ...parent, projects: references(target, 'projects', projects) };
      const data = { type: 'varsets', attributes, relationships };
      const { id } = await target.create(organizationPath(target, '/varsets'), data, record.id);
      target.directory.learn('varsets', id, record.name);
    } else if ((change['projects'] as string[] | undefined)?.length)
      await target.change(
        'POST',
        `varsets/${present.id}/relationships/projects`,
        references(target, 'projects', projects).data,
      );
    const path = `varsets/${target.directory.idOf('varsets', record.name)}/relationships/vars`;
    await writeVariables(target, path, (change['vars'] ?? {}) as Content, !present);
  },
  link: async (target, { record, change }) => {
    const workspaces = change['workspaces'] as string[] | undefined;
    if (!workspaces?.length) return;
    const path = `varsets/${target.directory.idOf('varsets', record.name)}/relationships/workspaces`;
    await target.change('POST', path, references(target, 'workspaces', workspaces).data);
  },
};
