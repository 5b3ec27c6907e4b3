/** Rows of the access matrix for workspaces (§4.2 to §4.7). */
import { newId } from '../../../src/core/store/ids.ts';
import { row } from '../../../src/core/store/store.ts';
import { bodyOf, randomName } from '../../builders/records.ts';
import { buildWorld, type Caller, type World } from '../../cast/world.ts';
import { type Asked, type Fresh, freshTargets, type Row, type Rows, withheldFrom } from './fresh.ts';

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
  'workspaces.show': {
    '': ({ workspace }) => workspace(),
    "where users' tokens are not taken": withheldFrom(({ workspace }) => workspace()),
  },
  'workspaces.show-by-former-name': async ({ world, workspace }) => {
    const { id, params } = await workspace();
    const name = randomName('renamed');
    await world.app.store.read`update workspaces set name = ${name}, revision = default where workspaces.id = ${id}`;
    return {
      params: { organization_name: params['organization_name']!, former_workspace_name: params['workspace_name']! },
    };
  },
  'workspaces.update': {
    settings: async ({ workspace }) => ({ ...(await workspace()), body: bodyOf('workspaces', { 'auto-apply': true }) }),
    'move between projects of p-adm': async fresh => moved(fresh, (await fresh.project()).id),
    'move to the default project': fresh => moved(fresh, fresh.world.acme.projectId),
  },
  'workspaces.safe-delete': ({ workspace }) => workspace(),
  'workspaces.force-delete': {
    'as it is by default': ({ workspace }) => workspace(),
    'once workspace admins may': allowed,
  },
  'workspaces.lock': {
    unlocked: ({ workspace }) => workspace(),
    locked: async ({ workspace, member }) => workspace(lockedBy({ type: 'users', id: (await member()).id })),
  },
  'workspaces.unlock': {
    'locked by the caller': ({ workspace }, { holder }) => workspace(lockedBy(holder)),
    'locked by another': async ({ workspace, member }) =>
      workspace(lockedBy({ type: 'users', id: (await member()).id })),
    unlocked: ({ workspace }) => workspace(),
  },
  'workspaces.force-unlock': {
    'locked by another': async ({ workspace, member }) =>
      workspace(lockedBy({ type: 'users', id: (await member()).id })),
    unlocked: ({ workspace }) => workspace(),
  },
};

function lockedBy({ type, id }: Caller['holder']) {
  return { locked: true, locked_reason: '', locked_by_type: type, locked_by_id: id };
}

let permissive: World | undefined;

/** §5.4: an organization that extends force deletion to workspace admins. */
async function allowed({ world: { app } }: Fresh, { name }: Caller): Promise<Asked> {
  permissive ??= await permissiveWorld(app);
  const { params } = await freshTargets(permissive).workspace();
  return { params, token: permissive.callers[name].token };
}

async function permissiveWorld(app: World['app']): Promise<World> {
  const world = await buildWorld(app);
  await app.store.read`
    update organizations set allow_force_delete_workspaces = true, revision = default where organizations.id = ${world.acme.key}`;
  return world;
}

async function moved({ workspace }: Fresh, projectId: string) {
  return { ...(await workspace()), body: bodyOf('workspaces', {}, inProject(projectId)) };
}

const bindingBody = { data: [{ type: 'tag-bindings', attributes: { key: 'region', value: 'eu' } }] };

export const bindingRows: Rows = Object.fromEntries(
  (['workspace', 'project'] as const).flatMap(kind => [
    [`${kind}s.list-tag-bindings`, (fresh: Fresh) => fresh[kind]()],
    [`${kind}s.list-effective-tag-bindings`, (fresh: Fresh) => fresh[kind]()],
    ...['add', 'append', 'replace'].map(change => [
      `${kind}s.${change}-tag-bindings`,
      async (fresh: Fresh) => ({ ...(await fresh[kind]()), body: bindingBody }),
    ]),
  ]),
);

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
  'vars.list-all': ({ workspace }) => workspace(),
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

/** A workspace as a consumer of another one's state; both are open to the standing teams. */
const consumer: Row = async ({ world: { app }, workspace }): Promise<Asked> => {
  const { id, params } = await workspace();
  const other = await workspace();
  await app.store.read`
    insert into remote_state_consumers (workspace_id, consumer_id) values (${id}, ${other.id})`;
  return { params, body: { data: [{ type: 'workspaces', id: other.id }] } };
};

const newConsumer: Row = async ({ workspace }): Promise<Asked> => {
  const { params } = await workspace();
  return { params, body: { data: [{ type: 'workspaces', id: (await workspace()).id }] } };
};

export const consumerRows: Rows = {
  'workspaces.list-remote-state-consumers': ({ workspace }) => workspace(),
  'workspaces.replace-remote-state-consumers': newConsumer,
  'workspaces.add-remote-state-consumers': newConsumer,
  'workspaces.remove-remote-state-consumers': consumer,
};

const policyBody = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });

/** A retention policy of a workspace, or of an organization of its own when no workspace is given. */
async function keepFor({ app }: World, organizationName: string, workspaceId: string | null): Promise<void> {
  await app.store.read`
    insert into data_retention_policies (id, organization_id, workspace_id, type, delete_older_than_n_days)
    select ${newId('drp')}, organizations.id, ${workspaceId}, 'data-retention-policy-delete-olders', 30
    from organizations where organizations.name = ${organizationName}
    on conflict do nothing`;
}

const keptWorkspace: Row = async ({ world, workspace }): Promise<Asked> => {
  const { id, params } = await workspace();
  await keepFor(world, world.acme.name, id);
  return { params };
};

const keptOrganization: Row = async ({ world, organization }): Promise<Asked> => {
  await keepFor(world, world.acme.name, null);
  return organization();
};

export const retentionRows: Rows = {
  'workspaces.assign-ssh-key': async ({ workspace, sshKey }) => ({
    ...(await workspace()),
    body: bodyOf('workspaces', { id: (await sshKey()).id }),
  }),
  'workspaces.show-data-retention-policy': keptWorkspace,
  'workspaces.set-data-retention-policy': async ({ workspace }) => ({ ...(await workspace()), body: policyBody }),
  'workspaces.update-data-retention-policy': async ({ workspace }) => ({ ...(await workspace()), body: policyBody }),
  'workspaces.remove-data-retention-policy': keptWorkspace,
  'organizations.show-data-retention-policy': keptOrganization,
  'organizations.set-data-retention-policy': ({ organization }) => ({ ...organization(), body: policyBody }),
  'organizations.update-data-retention-policy': ({ organization }) => ({ ...organization(), body: policyBody }),
  'organizations.remove-data-retention-policy': keptOrganization,
};
