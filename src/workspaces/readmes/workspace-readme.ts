/** §2.2 `readme`: the README that came with a workspace's configuration, as whoever may read the workspace is shown it. */
import { type Granted, grantColumns, grantedPowers, workspaceIsReadable } from '../../access/workspaces.ts';
import { addressed, column, text } from '../../core/jsonapi/fields.ts';
import { records, type Subject } from '../../core/jsonapi/records.ts';
import { type RowOf, resource } from '../../core/jsonapi/resource.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';

interface ReadmeRow extends Subject<'workspace'>, Granted {
  workspace_id: string;
}

const attributes = {
  'raw-markdown': column(text),
};

export const workspaceReadmes = resource({
  type: 'workspace-readme',
  attributes,
  relationships: {
    workspace: addressed('workspaces', 'workspace_id'),
  },
  links: (row: ReadmeRow) => ({ self: `/api/v2/workspaces/${row.workspace_id}?include=readme` }),
  load: (sql, actor, ids) => readmeRecords.load(sql, actor, ids),
});

interface Readme extends RowOf<typeof attributes>, ReadmeRow {}

const readmeRecords = records<Readme>({
  table: 'workspace_readmes',
  columns: (sql, actor) => sql`
    workspace_readmes.*, workspaces.organization_id, workspaces.project_id, ${grantColumns(sql, actor)}`,
  from: sql => sql`
    workspace_readmes
    join workspaces on workspaces.id = workspace_readmes.workspace_id`,
  isVisible: workspaceIsReadable,
  powers: grantedPowers,
});

/** The README of what is current from now on; null where it has none. The workspace's row is held. */
export async function keepReadme(sql: Sql, workspaceId: string, markdown: string | null): Promise<void> {
  if (markdown === null) {
    await sql`delete from workspace_readmes where workspace_readmes.workspace_id = ${workspaceId}`;
  } else {
    await sql`
      insert into workspace_readmes ${row(sql, { id: newId('readme'), workspace_id: workspaceId, raw_markdown: markdown })}
      on conflict (workspace_id) do update set raw_markdown = excluded.raw_markdown`;
  }
  await sql`
    update workspaces
    set revision = default, readme_id = (
      select workspace_readmes.id from workspace_readmes where workspace_readmes.workspace_id = ${workspaceId}
    )
    where workspaces.id = ${workspaceId}`;
}
