/** Rows of the access matrix for workspaces (§4.2 to §4.7). */
import { newId } from '../../src/store/ids.ts';
import { row } from '../../src/store/store.ts';
import { bodyOf, randomName } from '../builders.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';

const workspaceBody = (relationships?: object) => bodyOf('workspaces', { name: randomName('ws') }, relationships);

const inProject = (id: string) => ({ project: { data: { type: 'projects', id } } });

export const workspaceRows: Rows = {
  'workspaces.list': ({ organization }) => organization(),
  'workspaces.create': {
    'in the default project': ({ organization }) => ({ ...organization(), body: workspaceBody() }),
    'in the project of p-adm': ({ world, organization }) => ({
      ...organization(),
      body: workspaceBody(inProject(world.projectId)),
    }),
  },
  'workspaces.show': ({ workspace }) => workspace(),
  'workspaces.update': {
    settings: async ({ workspace }) => ({ ...(await workspace()), body: bodyOf('workspaces', { 'auto-apply': true }) }),
    'move between projects of p-adm': async fresh => moved(fresh, (await fresh.project()).id),
    'move to the default project': fresh => moved(fresh, fresh.world.acme.projectId),
  },
  'workspaces.safe-delete': ({ workspace }) => workspace(),
  'workspaces.force-delete': {
    'as it is by default': ({ workspace }) => workspace(),
  },
};

async function moved({ workspace }: Fresh, projectId: string) {
  return { ...(await workspace()), body: bodyOf('workspaces', {}, inProject(projectId)) };
}

/** A variable of a workspace that the standing teams have their access to. */
const variable: Row = async ({ world: { app, acme }, workspace }): Promise<Asked> => {
  const { id, params } = await workspace();
  const members = { id: newId('var'), organization_id: acme.key, workspace_id: id, key: 'region', value: 'eu' };
  const more = { category: 'terraform', sensitive: false, hcl: false, version_id: randomName('version') };
  await app.store.read`insert into variables ${row(app.store.read, { ...members, ...more })}`;
  return { params: { ...params, variable_id: members.id } };
};

export const variableRows: Rows = {
  'vars.list': ({ workspace }) => workspace(),
  'vars.create': async ({ workspace }) => ({
    ...(await workspace()),
    body: bodyOf('vars', { key: 'region', category: 'terraform' }),
  }),
  'vars.show': variable,
  'vars.update': async (fresh, caller) => ({
    ...(await variable(fresh, caller)),
    body: bodyOf('vars', { value: 'us' }),
  }),
  'vars.delete': variable,
};
