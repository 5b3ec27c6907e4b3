-- What changed in an organization, for whoever follows it: which record, not what of it, and who may be told. Written by
-- the database itself, so that no way of changing a record is forgotten, and servers of an older release need not know.
--
-- Transactions end in another order than the one in which they write, so a number that counts up would let a reader pass
-- over a row that comes to light later. Readers go by the id of the transaction instead, and only as far as every
-- transaction before has ended (pg_snapshot_xmin); docs/decisions/change-feed.md.
create table changes (
  organization_id text not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint generated always as identity,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  type text not null,
  record_id text not null,
  change text not null,
  -- Who may be told: whoever sees the workspace, project or team named here; all members, owners; one person.
  audience text not null,
  workspace_id text,
  project_id text,
  team_id text,
  user_id text,
  -- Of a record that is gone: the teams that had access.
  team_ids text[],
  -- Serves whoever follows an organization.
  constraint changes_pkey primary key (organization_id, transaction_id, position),
  constraint changes_change_known check (change in ('created', 'updated', 'deleted')),
  constraint changes_audience_known check (audience in ('workspace', 'project', 'team', 'team-members', 'members', 'owners', 'user'))
);
-- Serves the deletion of old ones.
create index changes_by_time on changes (occurred_at);

-- Nothing is told of an organization that is being deleted.
create function note_change(
  organization text, kind text, record text, what text, told text,
  workspace text default null, project text default null, team text default null, person text default null,
  teams_before text[] default null
) returns void language plpgsql as $$
begin
  insert into changes (
    organization_id, type, record_id, change, audience, workspace_id, project_id, team_id, user_id, team_ids
  )
  select organization, kind, record, what, told, workspace, project, team, person, teams_before
  where exists (select from organizations where organizations.id = organization);
end
$$;

create function change_of(operation text) returns text language plpgsql immutable as $$
begin
  return case operation when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end;
end
$$;

create function note_workspace_change() returns trigger language plpgsql as $$
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
  perform note_change(new.organization_id, 'workspaces', new.id, change_of(tg_op), 'workspace', new.id, new.project_id);
  if tg_op = 'UPDATE' and old.project_id <> new.project_id then
    perform note_change(new.organization_id, 'projects', old.project_id, 'updated', 'project', null, old.project_id);
    perform note_change(new.organization_id, 'projects', new.project_id, 'updated', 'project', null, new.project_id);
  end if;
  return null;
end
$$;
create trigger workspaces_made_noted after insert on workspaces for each row execute function note_workspace_change();
create trigger workspaces_change_noted after update on workspaces
  for each row when (old.revision <> new.revision) execute function note_workspace_change();
create trigger workspaces_end_noted before delete on workspaces for each row execute function note_workspace_change();

create function note_run_change() returns trigger language plpgsql as $$
begin
  perform note_change(new.organization_id, 'runs', new.id, change_of(tg_op), 'workspace', new.workspace_id);
  return null;
end
$$;
create trigger runs_made_noted after insert on runs for each row execute function note_run_change();
create trigger runs_change_noted after update on runs
  for each row when (old.status <> new.status) execute function note_run_change();

create function note_state_version_change() returns trigger language plpgsql as $$
begin
  perform note_change(workspaces.organization_id, 'state-versions', new.id, change_of(tg_op), 'workspace', workspaces.id)
  from workspaces where workspaces.id = new.workspace_id;
  return null;
end
$$;
create trigger state_versions_made_noted after insert on state_versions
  for each row execute function note_state_version_change();
create trigger state_versions_change_noted after update on state_versions
  for each row when (old.status <> new.status) execute function note_state_version_change();

create function note_project_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_change(old.organization_id, 'projects', old.id, 'deleted', 'project', null, old.id,
      teams_before => array(select team_projects.team_id from team_projects where team_projects.project_id = old.id));
    return old;
  end if;
  perform note_change(new.organization_id, 'projects', new.id, change_of(tg_op), 'project', null, new.id);
  return null;
end
$$;
create trigger projects_made_noted after insert on projects for each row execute function note_project_change();
create trigger projects_change_noted after update on projects
  for each row when (old.revision <> new.revision) execute function note_project_change();
create trigger projects_end_noted before delete on projects for each row execute function note_project_change();

create function note_organization_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from changes where changes.organization_id = old.id;
  else
    perform note_change(new.id, 'organizations', new.name, 'updated', 'members');
  end if;
  return null;
end
$$;
create trigger organizations_change_noted after update on organizations
  for each row when (old.revision <> new.revision) execute function note_organization_change();
create trigger organizations_end_noted after delete on organizations
  for each row execute function note_organization_change();

create function note_team_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform note_change(old.organization_id, 'teams', old.id, 'deleted',
      case old.visibility when 'organization' then 'members' else 'owners' end);
  else
    perform note_change(new.organization_id, 'teams', new.id, change_of(tg_op), 'team', team => new.id);
  end if;
  return null;
end
$$;
create trigger teams_noted after insert or update or delete on teams for each row execute function note_team_change();

-- Whoever is on another team now may do other things: they are told about themselves, for they may see less than before.
create function note_team_membership_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(memberships.organization_id, 'teams', one.team_id, 'updated', 'team', team => one.team_id),
    note_change(memberships.organization_id, 'users', memberships.user_id, 'updated', 'user', person => memberships.user_id)
  from organization_memberships as memberships where memberships.id = one.organization_membership_id;
  return null;
end
$$;
create trigger team_memberships_noted after insert or delete on team_memberships
  for each row execute function note_team_membership_change();

create function note_organization_membership_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(one.organization_id, 'organization-memberships', one.id, change_of(tg_op), 'members');
  perform note_change(one.organization_id, 'users', one.user_id, 'updated', 'user', person => one.user_id);
  return null;
end
$$;
create trigger organization_memberships_noted after insert or update or delete on organization_memberships
  for each row execute function note_organization_membership_change();

create function note_team_access_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(teams.organization_id, replace(tg_table_name, '_', '-'), one.id, change_of(tg_op), 'team-members',
    team => teams.id)
  from teams where teams.id = one.team_id;
  return null;
end
$$;
create trigger team_workspaces_noted after insert or update or delete on team_workspaces
  for each row execute function note_team_access_change();
create trigger team_projects_noted after insert or update or delete on team_projects
  for each row execute function note_team_access_change();
