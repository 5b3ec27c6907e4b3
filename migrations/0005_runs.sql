-- Configuration versions, and the runs made of them: a plan, an apply, what happened and what was said about it.

create table configuration_versions (
  id text constraint configuration_versions_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  -- The order of a workspace's versions, given under the lock of its row.
  position integer not null,
  status text not null default 'pending',
  status_timestamps jsonb not null default '{}',
  auto_queue_runs boolean not null default true,
  speculative boolean not null default false,
  provisional boolean not null default false,
  source text not null,
  error text,
  error_message text,
  changed_files text[] not null default '{}',
  -- Where the content came from, when it came from a repository.
  ingress_attributes_id text constraint configuration_versions_ingress_unique unique,
  ingress_attributes jsonb,
  blob_id text references blobs on delete set null,
  created_by_id text not null,
  created_at timestamptz(3) not null default now(),
  constraint configuration_versions_position_unique unique (workspace_id, position)
);
-- Serves the removal of blobs.
create index configuration_versions_by_blob on configuration_versions (blob_id) where blob_id is not null;

create table runs (
  id text constraint runs_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  -- The order of a workspace's runs, given under the lock of its row: the queue is served in it.
  position integer not null,
  -- Of any workspace of the organization: when that one goes, the run stays.
  configuration_version_id text references configuration_versions on delete set null,
  plan_id text not null,
  apply_id text,
  status text not null default 'pending',
  status_timestamps jsonb not null,
  source text not null,
  trigger_reason text not null default 'manual',
  message text not null,
  plan_only boolean not null,
  save_plan boolean not null,
  auto_apply boolean not null,
  is_destroy boolean not null,
  refresh boolean not null,
  refresh_only boolean not null,
  allow_config_generation boolean not null,
  allow_empty_apply boolean not null,
  debugging_mode boolean not null,
  target_addrs text[] not null,
  replace_addrs text[] not null,
  policy_paths text[] not null,
  invoke_action_addrs text[] not null,
  variables jsonb not null,
  terraform_version text not null,
  -- The pool whose agents would execute it, as the workspace said when the run was created.
  agent_pool_id text references agent_pools on delete set null,
  created_by_id text not null,
  confirmed_by_id text,
  has_changes boolean not null default false,
  -- Whether a policy check made it fail (§2.2 policy-check-failures).
  failed_policy_check boolean not null default false,
  canceled_at timestamptz(3),
  force_cancel_available_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  constraint runs_position_unique unique (workspace_id, position)
);
-- Serves the list of an organization's runs, newest first.
create index runs_by_organization on runs (organization_id, created_at desc, id desc);
-- Serve the run queue, positions in it and the capacity of an organization.
create index runs_waiting on runs (organization_id, created_at, id)
  where status in ('pending', 'plan_queued', 'apply_queued');
create index runs_not_finished on runs (organization_id, status) where finished_at is null;
-- Serves the figures of a workspace: its last runs that errored or were applied (§2.2).
create index runs_counted on runs (workspace_id, finished_at desc, id desc) where status in ('errored', 'applied');
-- Serve the removal of configuration versions and agent pools.
create index runs_by_configuration_version on runs (configuration_version_id);
create index runs_by_agent_pool on runs (agent_pool_id) where agent_pool_id is not null;

create table plans (
  id text constraint plans_pkey primary key,
  run_id text not null references runs on delete cascade constraint plans_run_unique unique,
  status text not null default 'pending',
  status_timestamps jsonb not null default '{}',
  has_changes boolean not null default false,
  generated_configuration boolean not null default false,
  resource_additions integer,
  resource_changes integer,
  resource_destructions integer,
  resource_imports integer,
  log bytea not null default '',
  started_at timestamptz(3),
  finished_at timestamptz(3)
);

create table applies (
  id text constraint applies_pkey primary key,
  run_id text not null references runs on delete cascade constraint applies_run_unique unique,
  status text not null default 'pending',
  status_timestamps jsonb not null default '{}',
  resource_additions integer,
  resource_changes integer,
  resource_destructions integer,
  resource_imports integer,
  log bytea not null default '',
  started_at timestamptz(3),
  finished_at timestamptz(3)
);

create table comments (
  id text constraint comments_pkey primary key,
  run_id text not null references runs on delete cascade,
  body text not null,
  created_by_id text not null,
  -- Finer than what is shown, so that the order of what one request wrote is kept.
  created_at timestamptz not null default clock_timestamp()
);
-- Serves the comments of a run.
create index comments_by_run on comments (run_id, created_at, id);

create table run_events (
  id text constraint run_events_pkey primary key,
  run_id text not null references runs on delete cascade,
  action text not null,
  description text,
  -- Null for what nobody asked for, such as a run whose turn has come.
  actor_id text,
  comment_id text references comments on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
-- Serves the events of a run.
create index run_events_by_run on run_events (run_id, created_at, id);
-- Serves the event of a comment.
create index run_events_by_comment on run_events (comment_id) where comment_id is not null;

-- The performance figures of §2.2, written by the change of a run that makes them differ; null before the first.
alter table workspaces add column run_metrics jsonb;
