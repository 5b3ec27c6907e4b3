/** The addresses of everything that an organization has, made of the paths of endpoints. */
import type { TestApp } from '../app.ts';
import type { RichOrganization } from './rich-organization.ts';
import { recordsOf, tableOf, tenantTables } from './tenant.ts';

/** What gives a path with every combination of values in the places of its parameters. */
export async function addressesIn(
  { store }: Pick<TestApp, 'store'>,
  rich: RichOrganization,
): Promise<(path: string) => string[]> {
  const tables = await tenantTables(store.read);
  const records = await recordsOf(store.read, tables, rich.key);
  const versions = await store.read<{ id: string }[]>`
    select engine_versions.id from engine_versions order by engine_versions.id limit 2`;
  const names = [...tables.map(({ name }) => name), 'engine_versions'];
  const valuesOf = (parameter: string): string[] => {
    if (parameter === 'organization_name') return [rich.name];
    if (parameter === 'former_workspace_name') return [`alone-${rich.marker}`];
    const table = tableOf(parameter, names);
    if (table === 'engine_versions') return versions.map(({ id }) => id);
    const found = table ? records.get(table) : [...records.values()].flat();
    return (found ?? []).map(({ id, name }) => (parameter.endsWith('_name') ? name! : id));
  };
  return path => filled(path, valuesOf);
}

/** What lists ask for that cannot be read without, by operation. */
export function queriesIn({ name, marker, ids }: RichOrganization): Record<string, string> {
  return {
    'run-triggers.list': 'filter[run-trigger][type]=outbound',
    'state-versions.list': `filter[organization][name]=${name}&filter[workspace][name]=locked-${marker}`,
    'workspaces.who': 'action=lock',
    'team-workspaces.list': `filter[workspace][id]=${ids['network']}`,
    'team-projects.list': `filter[project][id]=${ids['platform']}`,
  };
}

function filled(path: string, valuesOf: (parameter: string) => string[]): string[] {
  const parameter = /:(\w+)/.exec(path)?.[1];
  if (!parameter) return [path];
  return valuesOf(parameter).flatMap(value =>
    filled(path.replace(`:${parameter}`, encodeURIComponent(value)), valuesOf),
  );
}
