-- Accounts, organizations, teams, projects, workspaces, their tags and who may do what with them.
-- Ids are text: a prefix and 16 base62 characters (src/store/ids.ts). Powers and access are bit sets whose
-- names live in src/access/.

create table users (
  id text constraint users_pkey primary key,
  -- Null while the person is only invited: nobody has signed in under this address yet.
  username text constraint users_username_unique unique,
  email text not null,
  is_admin boolean not null default false,
  -- A service account stands for the tokens of a team or an organization (§2.1).
  is_service_account boolean not null default false,
  service_of_id text constraint users_service_unique unique,
  created_at timestamptz(3) not null default now()
);
-- Serves look-ups by e-mail address, and keeps one account per address.
create unique index users_email_unique on users (lower(email)) where not is_service_account;

create table organizations (
  id text constraint organizations_pkey primary key,
  name text not null constraint organizations_name_unique unique,
  email text not null,
  created_at timestamptz(3) not null default now(),
  default_project_id text not null,
  default_execution_mode text not null default 'remote',
  default_agent_pool_id text,
  default_global_remote_state boolean not null default false,
  allow_force_delete_workspaces boolean not null default false,
  assessments_enforced boolean not null default false,
  aggregated_commit_status_enabled boolean not null default true,
  collaborator_auth_policy text not null default 'password',
  cost_estimation_enabled boolean not null default false,
  owners_team_saml_role_id text,
  send_passing_statuses_for_untriggered_speculative_plans boolean not null default false,
  session_remember integer,
  session_timeout integer,
  speculative_plan_management_enabled boolean not null default true,
  stacks_enabled boolean not null default false,
  user_tokens_enabled boolean not null default true
);

create table organization_memberships (
  id text constraint organization_memberships_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  user_id text not null references users on delete cascade,
  status text not null,
  email text not null,
  created_at timestamptz(3) not null default now(),
  constraint organization_memberships_user_unique unique (organization_id, user_id)
);
-- Serves authentication: the organizations of a user.
create index organization_memberships_user on organization_memberships (user_id);

create table teams (
  id text constraint teams_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  visibility text not null default 'secret',
  sso_team_id text,
  allow_member_token_management boolean not null default true,
  is_owners boolean not null default false,
  organization_access integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint teams_name_unique unique (organization_id, name)
);

create table team_memberships (
  team_id text not null references teams on delete cascade,
  organization_membership_id text not null references organization_memberships on delete cascade,
  constraint team_memberships_pkey primary key (team_id, organization_membership_id)
);
-- Serves authentication: the teams of a member.
create index team_memberships_member on team_memberships (organization_membership_id);

create table tokens (
  id text constraint tokens_pkey primary key,
  kind text not null,
  -- Whose power it carries: the user, or the service account of the team or organization.
  user_id text not null references users on delete cascade,
  team_id text references teams on delete cascade,
  organization_id text references organizations on delete cascade,
  hash bytea not null constraint tokens_hash_unique unique,
  description text,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  expired_at timestamptz(3),
  created_by_type text not null,
  created_by_id text not null
);
-- A team has one token without a description; described ones stand beside it under distinct descriptions.
create unique index tokens_team_single_unique on tokens (team_id) where kind = 'team' and description is null;
create unique index tokens_team_description_unique on tokens (team_id, description) where kind = 'team';
create unique index tokens_organization_unique on tokens (organization_id) where kind = 'organization';
-- Serves the list of a user's tokens.
create index tokens_user on tokens (user_id, created_at, id);

create table agent_pools (
  id text constraint agent_pools_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  organization_scoped boolean not null default true,
  created_at timestamptz(3) not null default now(),
  constraint agent_pools_name_unique unique (organization_id, name)
);
-- Named here because the two tables refer to each other: a default pool is in use, and cannot go.
alter table organizations
  add constraint organizations_agent_pool_used foreign key (default_agent_pool_id) references agent_pools;

create table ssh_keys (
  id text constraint ssh_keys_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  sealed_value bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint ssh_keys_name_unique unique (organization_id, name)
);

create table projects (
  id text constraint projects_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  description text,
  auto_destroy_activity_duration text,
  -- The project's own mode and pool count only while it overwrites the organization's.
  overwrites_execution_mode boolean not null default false,
  default_execution_mode text,
  default_agent_pool_id text constraint projects_agent_pool_used references agent_pools,
  created_at timestamptz(3) not null default now(),
  constraint projects_name_unique unique (organization_id, name)
);

create table engine_versions (
  id text constraint engine_versions_pkey primary key,
  version text not null constraint engine_versions_version_unique unique,
  enabled boolean not null default true,
  official boolean not null default false,
  beta boolean not null default false,
  deprecated boolean not null default false,
  deprecated_reason text,
  url text,
  sha text,
  created_at timestamptz(3) not null default now()
);

create table workspaces (
  id text constraint workspaces_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  project_id text not null constraint workspaces_project_used references projects,
  name text not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  latest_change_at timestamptz(3) not null default now(),
  allow_destroy_plan boolean not null default true,
  assessments_enabled boolean not null default false,
  auto_apply boolean not null default false,
  auto_apply_run_trigger boolean not null default false,
  auto_destroy_at timestamptz(3),
  auto_destroy_activity_duration text,
  inherits_project_auto_destroy boolean not null default true,
  environment text not null default 'default',
  -- The workspace's own mode and pool count only while it overwrites the project's (§4.2 setting-overwrites).
  overwrites_execution_mode boolean not null default false,
  execution_mode text,
  agent_pool_id text constraint workspaces_agent_pool_used references agent_pools,
  file_triggers_enabled boolean not null default true,
  global_remote_state boolean not null default false,
  project_remote_state boolean not null default false,
  queue_all_runs boolean not null default false,
  resource_count integer not null default 0,
  source text not null default 'tfe-api',
  source_name text,
  source_url text,
  speculative_enabled boolean not null default true,
  structured_run_output_enabled boolean not null default true,
  engine_version text not null,
  trigger_patterns text[] not null default '{}',
  trigger_prefixes text[] not null default '{}',
  vcs_repo jsonb,
  working_directory text,
  ssh_key_id text references ssh_keys on delete set null,
  locked boolean not null default false,
  locked_reason text,
  locked_by_type text,
  locked_by_id text,
  current_run_id text,
  current_run_status text,
  current_run_created_at timestamptz(3),
  current_state_version_id text,
  current_configuration_version_id text,
  constraint workspaces_name_unique unique (organization_id, name),
  constraint workspaces_lock_has_holder check (locked = (locked_by_type is not null))
);
-- Serves the list by name, page by page, without reading the wide rows.
create index workspaces_by_name on workspaces (organization_id, name, id);
-- Serve the two other sorts of §4.3.
create index workspaces_by_latest_change on workspaces (organization_id, latest_change_at, id);
create index workspaces_by_current_run on workspaces (organization_id, current_run_created_at, id);
-- Serves filter[current-run][status].
create index workspaces_by_run_status on workspaces (organization_id, current_run_status) where current_run_status is not null;
-- Serves filter[project][id], a team's view through its projects, and a project's count.
create index workspaces_by_project on workspaces (project_id, name, id);
-- Serve the references when a pool or a key goes.
create index workspaces_by_agent_pool on workspaces (agent_pool_id) where agent_pool_id is not null;
create index workspaces_by_ssh_key on workspaces (ssh_key_id) where ssh_key_id is not null;

-- How many workspaces an organization has, in a few rows so that creations at once do not queue for one.
create table workspace_counts (
  organization_id text not null references organizations on delete cascade,
  slot smallint not null,
  workspaces integer not null,
  constraint workspace_counts_pkey primary key (organization_id, slot)
);

create table tags (
  id text constraint tags_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  created_at timestamptz(3) not null default now(),
  constraint tags_name_unique unique (organization_id, name)
);

create table workspace_tags (
  workspace_id text not null references workspaces on delete cascade,
  tag_id text not null references tags on delete cascade,
  constraint workspace_tags_pkey primary key (workspace_id, tag_id)
);
-- Serves search[tags] and a tag's instance count.
create index workspace_tags_by_tag on workspace_tags (tag_id, workspace_id);

create table workspace_tag_bindings (
  id text constraint workspace_tag_bindings_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  key text not null,
  value text not null,
  created_at timestamptz(3) not null default now(),
  constraint workspace_tag_bindings_key_unique unique (workspace_id, key)
);
-- Serves filter[tagged] and search[tags]: index only, whatever the number of filters.
create index workspace_tag_bindings_search on workspace_tag_bindings (organization_id, key, value, workspace_id);

create table project_tag_bindings (
  id text constraint project_tag_bindings_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  project_id text not null references projects on delete cascade,
  key text not null,
  value text not null,
  created_at timestamptz(3) not null default now(),
  constraint project_tag_bindings_key_unique unique (project_id, key)
);
-- Serves filter[tagged] through inheritance.
create index project_tag_bindings_search on project_tag_bindings (organization_id, key, value, project_id);

create table team_workspaces (
  id text constraint team_workspaces_pkey primary key,
  team_id text not null references teams on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  access text not null,
  runs text not null,
  variables text not null,
  state_versions text not null,
  sentinel_mocks text not null,
  workspace_locking boolean not null,
  run_tasks boolean not null,
  policy_overrides boolean not null,
  powers integer not null,
  created_at timestamptz(3) not null default now(),
  constraint team_workspaces_unique unique (team_id, workspace_id)
);
-- Serves the check of a caller's power on one workspace.
create index team_workspaces_by_workspace on team_workspaces (workspace_id, team_id, powers);

create table team_projects (
  id text constraint team_projects_pkey primary key,
  team_id text not null references teams on delete cascade,
  project_id text not null references projects on delete cascade,
  access text not null,
  project_access jsonb not null,
  workspace_access jsonb not null,
  powers integer not null,
  workspace_powers integer not null,
  created_at timestamptz(3) not null default now(),
  constraint team_projects_unique unique (team_id, project_id)
);
-- Serves the check of a caller's power on a project and all its workspaces.
create index team_projects_by_project on team_projects (project_id, team_id, powers, workspace_powers);

-- What happened, by whom: written in the transaction of the change itself.
create table audit_events (
  id text constraint audit_events_pkey primary key,
  occurred_at timestamptz(3) not null default clock_timestamp(),
  organization_id text,
  action text not null,
  actor_type text not null,
  actor_id text not null,
  actor_name text,
  token_id text,
  resource_type text,
  resource_id text,
  resource_name text,
  changes jsonb not null,
  request_id text not null,
  remote_address text
);
-- Serves an organization's events, newest first, read from its end.
create index audit_events_by_organization on audit_events (organization_id, occurred_at, id);
-- Serves the history of one record.
create index audit_events_by_resource on audit_events (organization_id, resource_id, occurred_at, id);

-- One row: what site administrators decide for the whole installation.
create table site_settings (
  id text constraint site_settings_pkey primary key,
  limit_user_organization_creation boolean not null
);
insert into site_settings (id, limit_user_organization_creation) values ('general-settings', true);
