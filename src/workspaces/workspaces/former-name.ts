/** Where a workspace went that was renamed: the workspace that had the name last, for thirty days. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import type { Finder } from '../../core/jsonapi/records.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from './attributes.ts';
import { heldWorkspace } from './rows.ts';
import { workspaces } from './workspace.ts';

/** Among those that the caller sees: one that is hidden takes nobody's old link away. */
const workspaceByFormerName: Finder<Workspace> = {
  parameter: 'former_workspace_name',
  find: async (look, { organization_name: organization, former_workspace_name: name }) => {
    const { sql } = look;
    const latest = sql`
      order by (
        select former.renamed_at from workspace_former_names as former
        where former.workspace_id = workspaces.id and former.name = ${name!}
      ) desc, workspaces.id limit 1`;
    const days = limits.formerNames_days.value;
    const condition = sql`
      organizations.name = ${organization!} and workspaces.id in (
        select former.workspace_id from workspace_former_names as former
        where former.organization_id = organizations.id and former.name = ${name!}
          and former.renamed_at > now() - make_interval(days => ${days}::integer)
      )`;
    return heldWorkspace(look, condition, latest);
  },
};

export const showFormerName = endpoint({
  operation: 'workspaces.show-by-former-name',
  section: '§4.3',
  summary: 'Show the workspace that had this name until it was renamed',
  method: 'GET',
  paths: ['/organizations/:organization_name/former-workspace-names/:former_workspace_name'],
  subject: workspaceByFormerName,
  needs: policy['workspace:read'],
  answer: { status: 200, document: workspaces },
  handle: ({ subject }) => subject,
});
