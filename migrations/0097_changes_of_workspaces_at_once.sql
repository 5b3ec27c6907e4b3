-- Workspaces change most often of all, and calling two functions cost more than the row that tells of it. That their
-- organization is there needs no look: one that is being deleted takes its workspaces with it, and neither makes nor changes any.
create or replace function note_workspace_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_change(old.organization_id, 'workspaces', old.id, 'deleted', 'workspace', old.id, old.project_id,
      teams_before => array(
        select team_workspaces.team_id from team_workspaces where team_workspaces.workspace_id = old.id
        union
        select team_projects.team_id from team_projects where team_projects.project_id = old.project_id
      ));
    return old;
  end if;
  insert into changes (organization_id, type, record_id, change, audience, workspace_id, project_id)
  values (new.organization_id, 'workspaces', new.id, case tg_op when 'INSERT' then 'created' else 'updated' end,
    'workspace', new.id, new.project_id);
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform note_change(new.organization_id, 'projects', old.project_id, 'updated', 'project', null, old.project_id);
    perform note_change(new.organization_id, 'projects', new.project_id, 'updated', 'project', null, new.project_id);
  end if;
  return null;
end
$$;
