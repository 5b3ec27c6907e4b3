-- The feed of changes tells of what stands round workspaces and runs, too: who is told of them and asked, what executes them,
-- what they are made of, and what they are given. Audiences that name a power have whoever holds it told, and nobody else.
alter table changes drop constraint changes_audience_known;
alter table changes add constraint changes_audience_known check (audience in (
  'workspace', 'workspace-admins', 'workspace-variables', 'project', 'team', 'team-members', 'members', 'connections', 'owners',
  'user'
));

-- With a workspace that goes goes what is its own: its end is told, and nothing of the rest.
create function note_change_in_workspace(kind text, record text, what text, told text, workspace text) returns void
language plpgsql as $$
begin
  perform note_change(workspaces.organization_id, kind, record, what, told, workspaces.id)
  from workspaces where workspaces.id = workspace;
end
$$;

-- Of a table whose rows have an `id` and a `workspace_id`: the trigger names the type and the audience.
create function note_change_within_workspace() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change_in_workspace(tg_argv[0], one.id, change_of(tg_op), tg_argv[1], one.workspace_id);
  return null;
end
$$;
create trigger notification_configurations_noted after insert or update or delete on notification_configurations
  for each row execute function note_change_within_workspace('notification-configurations', 'workspace-admins');
create trigger workspace_tasks_noted after insert or update or delete on workspace_tasks
  for each row execute function note_change_within_workspace('workspace-tasks', 'workspace');
create trigger variables_noted after insert or update or delete on variables
  for each row execute function note_change_within_workspace('vars', 'workspace-variables');
create trigger configuration_versions_made_noted after insert on configuration_versions
  for each row execute function note_change_within_workspace('configuration-versions', 'workspace');
create trigger configuration_versions_change_noted after update on configuration_versions
  for each row when (old.status <> new.status)
  execute function note_change_within_workspace('configuration-versions', 'workspace');

-- A trigger is seen from both of its workspaces.
create function note_run_trigger_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change_in_workspace('run-triggers', one.id, change_of(tg_op), 'workspace', one.workspace_id),
    note_change_in_workspace('run-triggers', one.id, change_of(tg_op), 'workspace', one.sourceable_id);
  return null;
end
$$;
create trigger run_triggers_noted after insert or delete on run_triggers
  for each row execute function note_run_trigger_change();

-- Of a table whose rows have an `id` and an `organization_id`.
create function note_change_within_organization() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(one.organization_id, tg_argv[0], one.id, change_of(tg_op), tg_argv[1]);
  return null;
end
$$;
create trigger run_tasks_noted after insert or update or delete on run_tasks
  for each row execute function note_change_within_organization('tasks', 'members');
create trigger agent_pools_noted after insert or update or delete on agent_pools
  for each row execute function note_change_within_organization('agent-pools', 'members');
create trigger reserved_tag_keys_noted after insert or update or delete on reserved_tag_keys
  for each row execute function note_change_within_organization('reserved-tag-keys', 'members');
create trigger ssh_keys_noted after insert or update or delete on ssh_keys
  for each row execute function note_change_within_organization('ssh-keys', 'connections');
create trigger oauth_clients_noted after insert or update or delete on oauth_clients
  for each row execute function note_change_within_organization('oauth-clients', 'connections');

-- A pool shows for what it is open.
create function note_agent_pool_scope_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(agent_pools.organization_id, 'agent-pools', agent_pools.id, 'updated', 'members')
  from agent_pools where agent_pools.id = one.agent_pool_id;
  return null;
end
$$;
create trigger agent_pool_allowed_projects_noted after insert or delete on agent_pool_allowed_projects
  for each row execute function note_agent_pool_scope_change();
create trigger agent_pool_allowed_workspaces_noted after insert or delete on agent_pool_allowed_workspaces
  for each row execute function note_agent_pool_scope_change();
create trigger agent_pool_excluded_workspaces_noted after insert or delete on agent_pool_excluded_workspaces
  for each row execute function note_agent_pool_scope_change();

-- That an agent has come or gone; that it is still there it says every few seconds, and nobody else does.
create function note_agent_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(agent_pools.organization_id, 'agents', one.id, change_of(tg_op), 'members')
  from agent_pools where agent_pools.id = one.agent_pool_id;
  return null;
end
$$;
create trigger agents_come_and_gone_noted after insert or delete on agents
  for each row execute function note_agent_change();
create trigger agents_change_noted after update on agents
  for each row when (old.exited_at is distinct from new.exited_at) execute function note_agent_change();

-- A connection shows its tokens.
create function note_oauth_token_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(oauth_clients.organization_id, 'oauth-clients', oauth_clients.id, 'updated', 'connections')
  from oauth_clients where oauth_clients.id = one.oauth_client_id;
  return null;
end
$$;
create trigger oauth_tokens_noted after insert or update or delete on oauth_tokens
  for each row execute function note_oauth_token_change();

-- What an organization says for all of its workspaces and tokens is a setting of it.
create function note_organization_setting_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(organizations.id, 'organizations', organizations.name, 'updated', 'members')
  from organizations where organizations.id = one.organization_id;
  return null;
end
$$;
create trigger token_ttl_policies_noted after insert or update or delete on token_ttl_policies
  for each row execute function note_organization_setting_change();
create trigger data_retention_policies_noted after insert or update or delete on data_retention_policies
  for each row execute function note_organization_setting_change();
