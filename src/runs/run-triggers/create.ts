/** Make a workspace the source of another one's runs: 201. Its row is held, so that its sources are counted once. */

import { namedWorkspaces } from '../../access/named.ts';
import { policy } from '../../access/policy.ts';
import type { Actor } from '../../core/access/actor.ts';
import { ApiError, type Fault, relationshipFault } from '../../core/errors.ts';
import { documentBody, toOne } from '../../core/jsonapi/body.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { newId } from '../../core/store/ids.ts';
import type { Sql } from '../../core/store/store.ts';
import type { Workspace } from '../../workspaces/workspaces/attributes.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import { runTriggerById, runTriggers } from './run-trigger.ts';

const sourceLimit = 20;

export const createRunTrigger = endpoint({
  operation: 'run-triggers.create',
  section: '§4.2',
  summary: 'Let the applied runs of another workspace begin runs in this one',
  method: 'POST',
  paths: ['/workspaces/:workspace_id/run-triggers'],
  subject: workspaceById,
  needs: policy['workspace:create-run-trigger'],
  // Two workspaces may name each other at the same moment.
  holds: 'no key update',
  body: documentBody(runTriggers, {
    relationships: { sourceable: toOne('workspaces') },
    requiredRelationships: ['sourceable'],
    typeIsOptional: true,
  }),
  answer: { status: 201, document: runTriggers, reads: runTriggerById },
  errors: ['invalid-relationship', 'run-trigger-taken'],
  check: async ({ sql, actor, subject, body: { relationships }, faults }) => {
    const { sourceable } = relationships;
    if (sourceable) await holdSource(sql, actor, subject, sourceable);
    if (sourceable) faults.push(...sourceFaults(subject, sourceable, await countSources(sql, subject)));
  },
  handle: async ({ sql, subject, body: { relationships } }) => {
    const id = newId('rt');
    await sql`
      insert into run_triggers (id, workspace_id, sourceable_id)
      values (${id}, ${subject.id}, ${relationships.sourceable!})`;
    return id;
  },
});

/** A source is of the same organization and readable to the caller, or it is none to them. It stays until the end. */
async function holdSource(sql: Sql, actor: Actor, workspace: Workspace, id: string): Promise<void> {
  const known = await namedWorkspaces(sql, actor, { organization_id: workspace.organization_id }, [id]);
  if (!known.has(id)) throw new ApiError('not-found');
}

async function countSources(sql: Sql, workspace: Workspace): Promise<number> {
  const [counted] = await sql<{ total: number }[]>`
    select count(*) as total from run_triggers where run_triggers.workspace_id = ${workspace.id}`;
  return counted!.total;
}

/** @param count of the sources that the workspace has already */
function sourceFaults(workspace: Workspace, sourceId: string, count: number): Fault[] {
  const fault = (reason: string) => relationshipFault('sourceable', reason);
  return [
    ...(sourceId === workspace.id ? [fault('Sourceable must be another workspace')] : []),
    ...(count >= sourceLimit ? [fault(`Sourceable cannot be added: a workspace has at most ${sourceLimit}`)] : []),
  ];
}
