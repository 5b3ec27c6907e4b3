/** Rows of the access matrix for variable sets and their variables (§2.2). */
import { bodyOf, randomName } from '../../builders/records.ts';
import { setVariable, variableSet } from '../../builders/workspace.ts';
import type { Asked, Fresh, Row, Rows } from './fresh.ts';

interface Target extends Asked {
  workspaceId: string;
  projectId: string;
}

/** A set of the organization that applies to a workspace which the standing teams have their access to. */
async function applied({ world: { app, acme, projectId }, workspace }: Fresh): Promise<Target> {
  const { id: workspaceId } = await workspace();
  const id = await variableSet(app, acme, {}, { workspaces: [workspaceId], projects: [projectId] });
  const variableId = await setVariable(app, acme, id, { key: 'region' });
  return { workspaceId, projectId, params: { variable_set_id: id, variable_id: variableId } };
}

/** A set of a project of `p-adm` that applies to nothing. */
async function owned({ world: { app, acme, projectId }, workspace }: Fresh): Promise<Target> {
  const id = await variableSet(app, acme, { project_id: projectId });
  const variableId = await setVariable(app, acme, id, { key: 'region' });
  const { id: workspaceId } = await workspace();
  return { workspaceId, projectId, params: { variable_set_id: id, variable_id: variableId } };
}

/** A set of the organization that applies to nothing. */
async function idle({ world: { app, acme, projectId }, workspace }: Fresh): Promise<Target> {
  const id = await variableSet(app, acme);
  const variableId = await setVariable(app, acme, id, { key: 'region' });
  const { id: workspaceId } = await workspace();
  return { workspaceId, projectId, params: { variable_set_id: id, variable_id: variableId } };
}

/** A row for each kind of set; `body` says what to send about one. */
function ofEach(body: (target: Target) => unknown = () => undefined): Record<string, Row> {
  const row =
    (make: (fresh: Fresh) => Promise<Target>): Row =>
    async fresh => {
      const target = await make(fresh);
      const sent = body(target);
      return { params: target.params, ...(sent !== undefined && { body: sent }) };
    };
  return { applied: row(applied), 'of a project': row(owned), 'applied to nothing': row(idle) };
}

const setBody = (relationships?: object) => bodyOf('varsets', { name: randomName('set') }, relationships);
const named = (type: string, id: string) => ({ data: [{ type, id }] });

export const variableSetRows: Rows = {
  'varsets.list': ({ organization }) => organization(),
  'varsets.list-of-project': ({ project }) => project(),
  'varsets.list-of-workspace': ({ workspace }) => workspace(),
  'varsets.create': {
    'of the organization': ({ organization }) => ({ ...organization(), body: setBody() }),
    'of the project of p-adm': ({ world, organization }) => ({
      ...organization(),
      body: setBody({ parent: { data: { type: 'projects', id: world.projectId } } }),
    }),
  },
  'varsets.show': ofEach(),
  'varsets.update': ofEach(() => setBody()),
  'varsets.delete': ofEach(),
  'varsets.add-workspaces': ofEach(({ workspaceId }) => named('workspaces', workspaceId)),
  'varsets.remove-workspaces': ofEach(({ workspaceId }) => named('workspaces', workspaceId)),
  'varsets.add-projects': ofEach(({ projectId }) => named('projects', projectId)),
  'varsets.remove-projects': ofEach(({ projectId }) => named('projects', projectId)),
};

export const setVariableRows: Rows = {
  'vars.list-of-set': ofEach(),
  'vars.create-in-set': ofEach(() => bodyOf('vars', { key: 'zone', category: 'terraform' })),
  'vars.show-of-set': ofEach(),
  'vars.update-in-set': ofEach(() => bodyOf('vars', { value: 'us' })),
  'vars.delete-from-set': ofEach(),
};
