-- Connections to version control, what agent pools are restricted to, who reads the audit, plans and variable sets.

-- Secrets are sealed: they go in and never come out.
create table oauth_clients (
  id text constraint oauth_clients_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text,
  service_provider text not null,
  http_url text not null,
  api_url text not null,
  key text,
  rsa_public_key text,
  sealed_secret bytea,
  sealed_private_key bytea,
  organization_scoped boolean not null default true,
  agent_pool_id text references agent_pools on delete set null,
  created_at timestamptz(3) not null default now()
);
-- Serves the list of an organization's connections.
create index oauth_clients_by_organization on oauth_clients (organization_id, created_at, id);
-- Serves the reference when a pool goes.
create index oauth_clients_by_agent_pool on oauth_clients (agent_pool_id) where agent_pool_id is not null;

-- The projects that may use a connection which is not open to the whole organization.
create table oauth_client_projects (
  oauth_client_id text not null references oauth_clients on delete cascade,
  project_id text not null references projects on delete cascade,
  constraint oauth_client_projects_pkey primary key (oauth_client_id, project_id)
);
-- Serves the reference when a project goes.
create index oauth_client_projects_by_project on oauth_client_projects (project_id);

create table oauth_tokens (
  id text constraint oauth_tokens_pkey primary key,
  oauth_client_id text not null references oauth_clients on delete cascade,
  sealed_token bytea not null,
  sealed_ssh_key bytea,
  created_at timestamptz(3) not null default now()
);
-- Serves the list of a connection's tokens, and their ids in its document.
create index oauth_tokens_by_client on oauth_tokens (oauth_client_id, created_at, id);

-- Serves unlinking repositories when their token goes.
create index workspaces_by_oauth_token on workspaces ((vcs_repo ->> 'oauth-token-id'))
  where vcs_repo ->> 'oauth-token-id' is not null;

-- Who may choose a pool that is not open to the whole organization, and who may not for all that.
create table agent_pool_allowed_workspaces (
  agent_pool_id text not null references agent_pools on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  constraint agent_pool_allowed_workspaces_pkey primary key (agent_pool_id, workspace_id)
);
create table agent_pool_allowed_projects (
  agent_pool_id text not null references agent_pools on delete cascade,
  project_id text not null references projects on delete cascade,
  constraint agent_pool_allowed_projects_pkey primary key (agent_pool_id, project_id)
);
create table agent_pool_excluded_workspaces (
  agent_pool_id text not null references agent_pools on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  constraint agent_pool_excluded_workspaces_pkey primary key (agent_pool_id, workspace_id)
);
-- Serve the references when a workspace or a project goes.
create index agent_pool_allowed_by_workspace on agent_pool_allowed_workspaces (workspace_id);
create index agent_pool_allowed_by_project on agent_pool_allowed_projects (project_id);
create index agent_pool_excluded_by_workspace on agent_pool_excluded_workspaces (workspace_id);

-- Tokens that agents will sign in with: they open nothing of this interface.
alter table tokens add column agent_pool_id text references agent_pools on delete cascade;
-- Serves the list of a pool's tokens.
create index tokens_by_agent_pool on tokens (agent_pool_id, created_at, id) where agent_pool_id is not null;
-- One organization token of each kind.
create unique index tokens_audit_trails_unique on tokens (organization_id) where kind = 'audit-trails';

-- What an organization has been given by the installation; without a row it has what everybody has.
create table subscriptions (
  organization_id text constraint subscriptions_pkey primary key references organizations on delete cascade,
  feature_set_id text not null,
  agents_ceiling integer,
  runs_ceiling integer,
  contract_apply_limit integer,
  contract_user_limit integer,
  contract_start_at timestamptz(3),
  end_at timestamptz(3)
);

-- An address that its holder gave and nobody has proven yet: invitations never look at it.
alter table users add column unconfirmed_email text;
