/** §2.2 `outputs`: what a state version says to others. Sensitive values show to those who may read the whole state. */

import { Type } from 'typebox';
import { policy } from '../../access/policy.ts';
import { workspacePowers } from '../../access/workspace-levels.ts';
import type { Actor } from '../../core/access/actor.ts';
import type { Powers } from '../../core/access/powers.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { boolean, column, computed, type Deployment, text, written } from '../../core/jsonapi/fields.ts';
import type { Page } from '../../core/jsonapi/page.ts';
import type { Finder, Subject } from '../../core/jsonapi/records.ts';
import { type AnyResource, resource } from '../../core/jsonapi/resource.ts';
import { counted } from '../../core/store/page.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { visibleWorkspaces, workspaceById } from '../workspaces/rows.ts';
import { stateVersionById } from './state-version.ts';

/** An output's sealed value opens under this context alone. */
export const sealContext = (id: string) => `state-version-outputs/${id}`;

const anything = Type.Unsafe<unknown>({});

const attributes = {
  name: column(text),
  sensitive: column(boolean),
  type: column(text),
  'detailed-type': column(anything),
  value: written(shownValue),
};

const workspaceOutputAttributes = {
  name: column(text),
  sensitive: column(boolean),
  'output-type': computed(text, (row: Output) => row.type),
  'detailed-type': column(anything),
  value: written(shownValue),
};

/** As the client wrote it; null where it is hidden from the caller, or from this answer. */
function shownValue(row: Output, { unseal }: Deployment): string {
  return row.is_value_shown ? unseal(row.sealed_value, sealContext(row.id)) : 'null';
}

const loads =
  (shown: Shown): NonNullable<AnyResource['load']> =>
  async (sql, actor, ids) =>
    withPowers(sql, actor, await readOutputs(sql, sql`state_version_outputs.id = any(${ids as string[]})`), shown);

export const stateVersionOutputs = resource({
  type: 'state-version-outputs',
  attributes,
  relationships: {},
  links: row => ({ self: `/api/v2/state-version-outputs/${row.id}` }),
  load: loads('permitted'),
});

/** The same records, as the relationship of a workspace names them (§2.2). */
export const workspaceOutputs = resource({
  type: 'workspace-outputs',
  attributes: workspaceOutputAttributes,
  relationships: {},
  load: loads('plain'),
});

interface Output extends Subject<'workspace'> {
  workspace_id: string;
  sensitive: boolean;
  is_value_shown: boolean;
  type: string;
  sealed_value: Buffer;
}

/** Outputs of a condition, without any check of who asks. */
const readOutputs = (sql: Sql, condition: Fragment) => sql<Output[]>`
  select state_version_outputs.*, state_versions.workspace_id
  from state_version_outputs
  join state_versions on state_versions.id = state_version_outputs.state_version_id
  where ${condition}`;

/** Which values an answer shows: those that are not sensitive, or all that the caller may read. */
type Shown = 'plain' | 'permitted';

function shownTo(output: Output, powers: Powers<'workspace'>, shown: Shown): Output {
  const isPermitted = shown === 'permitted' && workspacePowers.has(powers, 'read-state');
  return { ...output, powers, is_value_shown: !output.sensitive || isPermitted };
}

/** Those whose workspace lets the actor read outputs. */
async function withPowers(sql: Sql, actor: Actor, outputs: Output[], shown: Shown): Promise<Output[]> {
  const workspaceIds = [...new Set(outputs.map(({ workspace_id }) => workspace_id))];
  const workspaces = await visibleWorkspaces(sql, actor, sql`workspaces.id = any(${workspaceIds})`);
  const powers = new Map(workspaces.map(({ id, powers }) => [id, powers]));
  return outputs
    .map(output => shownTo(output, powers.get(output.workspace_id) ?? workspacePowers.none, shown))
    .filter(output => workspacePowers.has(output.powers, 'read-state-outputs'));
}

const outputById: Finder<Output> = {
  parameter: 'output_id',
  find: async ({ sql, actor }, params) => {
    const outputs = await readOutputs(sql, sql`state_version_outputs.id = ${params['output_id']!}`);
    const [output] = await withPowers(sql, actor, outputs, 'permitted');
    return output;
  },
};

export const showOutput = endpoint({
  operation: 'state-version-outputs.show',
  section: '§2.2',
  summary: 'Show an output; its value too when it is sensitive, to those who may read the state',
  method: 'GET',
  paths: ['/state-version-outputs/:output_id'],
  subject: outputById,
  needs: policy['workspace:read-state-outputs'],
  answer: { status: 200, document: stateVersionOutputs },
  isForRuns: true,
  handle: ({ subject }) => subject,
});

export const listOutputs = endpoint({
  operation: 'state-version-outputs.list',
  section: '§2.2',
  summary: 'List the outputs of a state version',
  method: 'GET',
  paths: ['/state-versions/:state_version_id/outputs'],
  subject: stateVersionById,
  needs: policy['workspace:read-state-outputs'],
  answer: { status: 200, collection: stateVersionOutputs, pages: 'always' },
  isForRuns: true,
  handle: ({ sql, subject, page }) => outputsOf(sql, subject.id, subject.powers, 'permitted', page),
});

export const listCurrentOutputs = endpoint({
  operation: 'state-version-outputs.list-current',
  section: '§2.2',
  summary: 'List the outputs of the current state version of a workspace, sensitive values hidden',
  method: 'GET',
  paths: ['/workspaces/:workspace_id/current-state-version-outputs'],
  subject: workspaceById,
  needs: policy['workspace:read-state-outputs'],
  answer: { status: 200, collection: stateVersionOutputs, pages: 'always' },
  isForRuns: true,
  handle: ({ sql, subject, page }) => outputsOf(sql, subject.current_state_version_id, subject.powers, 'plain', page),
});

async function outputsOf(sql: Sql, versionId: string | null, powers: Powers<'workspace'>, shown: Shown, page: Page) {
  const ofVersion = sql`state_version_outputs.state_version_id = ${versionId}`;
  const { rows, total } = await counted<Output>(
    sql,
    sql`select count(*) as total from state_version_outputs where ${ofVersion}`,
    sql`
      ${readOutputs(sql, ofVersion)}
      order by state_version_outputs.name, state_version_outputs.id limit ${page.size} offset ${page.offset}`,
  );
  return { rows: rows.map(output => shownTo(output, powers, shown)), total };
}
