-- The schema that the migrations have made so far, for readers: `npm run schema` writes it, and no program reads it.
-- Left out: schema_migrations, and what needs the extensions pg_trgm and btree_gin, which not every PostgreSQL has.

create table agent_pool_allowed_projects (
  agent_pool_id text not null,
  project_id text not null,
  constraint agent_pool_allowed_projects_pkey PRIMARY KEY (agent_pool_id, project_id)
);
CREATE INDEX agent_pool_allowed_by_project ON public.agent_pool_allowed_projects USING btree (project_id);

create table agent_pool_allowed_workspaces (
  agent_pool_id text not null,
  workspace_id text not null,
  constraint agent_pool_allowed_workspaces_pkey PRIMARY KEY (agent_pool_id, workspace_id)
);
CREATE INDEX agent_pool_allowed_by_workspace ON public.agent_pool_allowed_workspaces USING btree (workspace_id);

create table agent_pool_excluded_workspaces (
  agent_pool_id text not null,
  workspace_id text not null,
  constraint agent_pool_excluded_workspaces_pkey PRIMARY KEY (agent_pool_id, workspace_id)
);
CREATE INDEX agent_pool_excluded_by_workspace ON public.agent_pool_excluded_workspaces USING btree (workspace_id);

create table agent_pools (
  id text not null,
  organization_id text not null,
  name text not null,
  organization_scoped boolean not null default true,
  created_at timestamp(3) with time zone not null default now(),
  constraint agent_pools_pkey PRIMARY KEY (id),
  constraint agent_pools_name_unique UNIQUE (organization_id, name)
);

create table agents (
  id text not null,
  agent_pool_id text,
  token_id text,
  secret_hash bytea not null,
  name text,
  ip_address text,
  engines jsonb not null default '[]'::jsonb,
  created_at timestamp(3) with time zone not null default now(),
  last_ping_at timestamp(3) with time zone not null default now(),
  exited_at timestamp(3) with time zone,
  git_version text,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_secret_unique UNIQUE (secret_hash)
);
CREATE INDEX agents_by_pool ON public.agents USING btree (agent_pool_id, created_at, id);
CREATE INDEX agents_by_token ON public.agents USING btree (token_id) WHERE (token_id IS NOT NULL);

create table applies (
  id text not null,
  run_id text not null,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null default '{}'::jsonb,
  resource_additions integer,
  resource_changes integer,
  resource_destructions integer,
  resource_imports integer,
  log bytea not null default '\x'::bytea,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  execution_details jsonb,
  constraint applies_pkey PRIMARY KEY (id),
  constraint applies_run_unique UNIQUE (run_id)
);

create table assessment_results (
  id text not null,
  workspace_id text not null,
  run_id text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  succeeded boolean not null,
  error_message text,
  resources_drifted integer not null default 0,
  resources_undrifted integer not null default 0,
  checks_passed integer not null default 0,
  checks_failed integer not null default 0,
  checks_errored integer not null default 0,
  checks_unknown integer not null default 0,
  constraint assessment_results_pkey PRIMARY KEY (id),
  constraint assessment_results_run_unique UNIQUE (run_id)
);
CREATE INDEX assessment_results_by_workspace ON public.assessment_results USING btree (workspace_id, created_at DESC);

create table audit_events (
  id text not null,
  occurred_at timestamp(3) with time zone not null default clock_timestamp(),
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
  remote_address text,
  constraint audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_events_by_organization ON public.audit_events USING btree (organization_id, occurred_at, id);
CREATE INDEX audit_events_by_resource ON public.audit_events USING btree (organization_id, resource_id, occurred_at, id);
CREATE INDEX audit_events_of_site ON public.audit_events USING btree (occurred_at, id) WHERE (organization_id IS NULL);

create table blob_chunks (
  blob_id text not null,
  position integer not null,
  sealed bytea not null,
  constraint blob_chunks_pkey PRIMARY KEY (blob_id, "position")
);

create table blobs (
  id text not null,
  workspace_id text not null,
  is_kept boolean not null default false,
  size_bytes bigint not null default 0,
  chunk_count integer not null default 0,
  sha256 bytea,
  created_at timestamp(3) with time zone not null default now(),
  object text,
  object_keys text[],
  constraint blobs_pkey PRIMARY KEY (id)
);
CREATE INDEX blobs_by_workspace ON public.blobs USING btree (workspace_id);
CREATE INDEX blobs_in_objects ON public.blobs USING btree (id) WHERE (object IS NOT NULL);
CREATE INDEX blobs_not_kept ON public.blobs USING btree (created_at) WHERE (NOT is_kept);

create table changes (
  organization_id text not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint not null,
  occurred_at timestamp(3) with time zone not null default clock_timestamp(),
  type text not null,
  record_id text not null,
  change text not null,
  audience text not null,
  workspace_id text,
  project_id text,
  team_id text,
  user_id text,
  team_ids text[],
  constraint changes_pkey PRIMARY KEY (organization_id, transaction_id, "position"),
  constraint changes_audience_known CHECK ((audience = ANY (ARRAY['workspace'::text, 'workspace-admins'::text, 'workspace-variables'::text, 'variable-set'::text, 'project'::text, 'team'::text, 'team-members'::text, 'members'::text, 'connections'::text, 'owners'::text, 'user'::text]))),
  constraint changes_change_known CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text])))
);
CREATE INDEX changes_by_time ON public.changes USING btree (occurred_at);

create table comments (
  id text not null,
  run_id text not null,
  body text not null,
  created_by_id text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint comments_pkey PRIMARY KEY (id)
);
CREATE INDEX comments_by_run ON public.comments USING btree (run_id, created_at, id);

create table configuration_fetches (
  configuration_version_id text not null,
  oauth_token_id text,
  identifier text not null,
  with_submodules boolean not null,
  branch text,
  tag text,
  commit_sha text,
  run_message text,
  created_at timestamp(3) with time zone not null default now(),
  constraint configuration_fetches_pkey PRIMARY KEY (configuration_version_id)
);
CREATE INDEX configuration_fetches_by_token ON public.configuration_fetches USING btree (oauth_token_id) WHERE (oauth_token_id IS NOT NULL);

create table configuration_versions (
  id text not null,
  workspace_id text not null,
  position integer not null,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null default '{}'::jsonb,
  auto_queue_runs boolean not null default true,
  speculative boolean not null default false,
  provisional boolean not null default false,
  source text not null,
  error text,
  error_message text,
  changed_files text[] not null default '{}'::text[],
  ingress_attributes_id text,
  ingress_attributes jsonb,
  blob_id text,
  created_by_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  creator_may_apply boolean not null default false,
  constraint configuration_versions_pkey PRIMARY KEY (id),
  constraint configuration_versions_ingress_unique UNIQUE (ingress_attributes_id),
  constraint configuration_versions_position_unique UNIQUE (workspace_id, "position")
);
CREATE INDEX configuration_versions_by_blob ON public.configuration_versions USING btree (blob_id) WHERE (blob_id IS NOT NULL);
CREATE INDEX configuration_versions_with_content ON public.configuration_versions USING btree (workspace_id, created_at) WHERE (blob_id IS NOT NULL);

create table data_retention_policies (
  id text not null,
  organization_id text not null,
  workspace_id text,
  type text not null,
  delete_older_than_n_days integer,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint data_retention_policies_pkey PRIMARY KEY (id),
  constraint data_retention_policies_workspace_unique UNIQUE (workspace_id)
);
CREATE UNIQUE INDEX data_retention_policies_organization_unique ON public.data_retention_policies USING btree (organization_id) WHERE (workspace_id IS NULL);

create table engine_versions (
  id text not null,
  version text not null,
  enabled boolean not null default true,
  official boolean not null default false,
  beta boolean not null default false,
  deprecated boolean not null default false,
  deprecated_reason text,
  url text,
  sha text,
  created_at timestamp(3) with time zone not null default now(),
  constraint engine_versions_pkey PRIMARY KEY (id),
  constraint engine_versions_version_unique UNIQUE (version)
);
CREATE INDEX engine_versions_newest ON public.engine_versions USING btree (((string_to_array(split_part(version, '-'::text, 1), '.'::text))::integer[]) DESC, ((POSITION(('-'::text) IN (version)) > 0)), version DESC, id) WHERE (enabled AND (NOT beta) AND (NOT deprecated) AND (POSITION(('-'::text) IN (version)) = 0));

create table familiar_addresses (
  key bytea not null,
  user_id text not null,
  last_used_at timestamp(3) with time zone not null default now(),
  constraint familiar_addresses_pkey PRIMARY KEY (key)
);
CREATE INDEX familiar_addresses_by_time ON public.familiar_addresses USING btree (last_used_at);
CREATE INDEX familiar_addresses_user ON public.familiar_addresses USING btree (user_id);

create table jobs (
  id text not null,
  run_id text,
  organization_id text not null,
  phase text not null,
  precedence smallint not null,
  is_built_in boolean not null,
  agent_pool_id text,
  status text not null default 'queued'::text,
  agent_id text,
  attempts integer not null default 0,
  token_hash bytea,
  seen_at timestamp(3) with time zone,
  log_bytes bigint not null default 0,
  outcome text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  configuration_version_id text,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_of_one CHECK ((num_nonnulls(run_id, configuration_version_id) = 1)),
  constraint jobs_phase_unique UNIQUE (run_id, phase),
  constraint jobs_token_unique UNIQUE (token_hash),
  constraint jobs_version_unique UNIQUE (configuration_version_id)
);
CREATE INDEX jobs_by_agent ON public.jobs USING btree (agent_id) WHERE (agent_id IS NOT NULL);
CREATE INDEX jobs_by_organization ON public.jobs USING btree (organization_id);
CREATE INDEX jobs_by_pool ON public.jobs USING btree (agent_pool_id) WHERE (agent_pool_id IS NOT NULL);
CREATE INDEX jobs_queued ON public.jobs USING btree (precedence, created_at, id) WHERE (status = 'queued'::text);
CREATE INDEX jobs_under_way ON public.jobs USING btree (seen_at) WHERE (status = ANY (ARRAY['allocated'::text, 'running'::text]));

create table kept_usernames (
  username text not null,
  user_id text not null,
  kept_until timestamp(3) with time zone not null,
  constraint kept_usernames_pkey PRIMARY KEY (username)
);

create table leases (
  name text not null,
  holder_id text,
  expires_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  constraint leases_pkey PRIMARY KEY (name)
);

create table log_chunks (
  phase_id text not null,
  run_id text not null,
  position bigint not null,
  content bytea not null,
  constraint log_chunks_pkey PRIMARY KEY (phase_id, "position")
);
CREATE INDEX log_chunks_by_run ON public.log_chunks USING btree (run_id);

create table login_codes (
  id text not null,
  session_id text not null,
  user_id text not null,
  hash bytea not null,
  challenge text not null,
  redirect_uri text not null,
  expires_at timestamp(3) with time zone not null,
  constraint login_codes_pkey PRIMARY KEY (id),
  constraint login_codes_hash_unique UNIQUE (hash)
);
CREATE INDEX login_codes_session ON public.login_codes USING btree (session_id);

create table notification_configuration_users (
  notification_configuration_id text not null,
  user_id text not null,
  constraint notification_configuration_users_pkey PRIMARY KEY (notification_configuration_id, user_id)
);
CREATE INDEX notification_configuration_users_by_user ON public.notification_configuration_users USING btree (user_id);

create table notification_configurations (
  id text not null,
  workspace_id text,
  name text not null,
  enabled boolean not null,
  destination_type text not null,
  sealed_url bytea,
  sealed_token bytea,
  triggers text[] not null default '{}'::text[],
  email_addresses text[] not null default '{}'::text[],
  sealed_responses bytea,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  project_id text,
  team_id text,
  constraint notification_configurations_pkey PRIMARY KEY (id),
  constraint notification_configurations_of_one CHECK ((num_nonnulls(workspace_id, project_id, team_id) = 1))
);
CREATE INDEX notification_configurations_by_project ON public.notification_configurations USING btree (project_id, created_at, id) WHERE (project_id IS NOT NULL);
CREATE INDEX notification_configurations_by_team ON public.notification_configurations USING btree (team_id, created_at, id) WHERE (team_id IS NOT NULL);
CREATE INDEX notification_configurations_by_workspace ON public.notification_configurations USING btree (workspace_id, created_at, id);

create table oauth_client_projects (
  oauth_client_id text not null,
  project_id text not null,
  constraint oauth_client_projects_pkey PRIMARY KEY (oauth_client_id, project_id)
);
CREATE INDEX oauth_client_projects_by_project ON public.oauth_client_projects USING btree (project_id);

create table oauth_clients (
  id text not null,
  organization_id text not null,
  name text,
  service_provider text not null,
  http_url text not null,
  api_url text not null,
  key text,
  rsa_public_key text,
  sealed_secret bytea,
  sealed_private_key bytea,
  organization_scoped boolean not null default true,
  agent_pool_id text,
  created_at timestamp(3) with time zone not null default now(),
  sealed_webhook_secret bytea,
  constraint oauth_clients_pkey PRIMARY KEY (id)
);
CREATE INDEX oauth_clients_by_agent_pool ON public.oauth_clients USING btree (agent_pool_id) WHERE (agent_pool_id IS NOT NULL);
CREATE INDEX oauth_clients_by_organization ON public.oauth_clients USING btree (organization_id, created_at, id);

create table oauth_tokens (
  id text not null,
  oauth_client_id text not null,
  sealed_token bytea not null,
  sealed_ssh_key bytea,
  created_at timestamp(3) with time zone not null default now(),
  constraint oauth_tokens_pkey PRIMARY KEY (id)
);
CREATE INDEX oauth_tokens_by_client ON public.oauth_tokens USING btree (oauth_client_id, created_at, id);

create table object_removals (
  object text not null,
  is_partial boolean not null,
  noted_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint object_removals_pkey PRIMARY KEY (object)
);
CREATE INDEX object_removals_by_time ON public.object_removals USING btree (noted_at);

create table organization_memberships (
  id text not null,
  organization_id text not null,
  user_id text not null,
  status text not null,
  email text not null,
  created_at timestamp(3) with time zone not null default now(),
  mapped_by text,
  constraint organization_memberships_pkey PRIMARY KEY (id),
  constraint organization_memberships_user_unique UNIQUE (organization_id, user_id)
);
CREATE INDEX organization_memberships_user ON public.organization_memberships USING btree (user_id);

create table organizations (
  id text not null,
  name text not null,
  email text not null,
  created_at timestamp(3) with time zone not null default now(),
  default_project_id text not null,
  default_execution_mode text not null default 'remote'::text,
  default_agent_pool_id text,
  default_global_remote_state boolean,
  allow_force_delete_workspaces boolean not null default false,
  assessments_enforced boolean not null default false,
  aggregated_commit_status_enabled boolean not null default true,
  collaborator_auth_policy text not null default 'password'::text,
  cost_estimation_enabled boolean not null default false,
  owners_team_saml_role_id text,
  send_passing_statuses_for_untriggered_speculative_plans boolean not null default false,
  session_remember integer,
  session_timeout integer,
  speculative_plan_management_enabled boolean not null default true,
  stacks_enabled boolean not null default false,
  user_tokens_enabled boolean not null default true,
  revision bigint not null default ((random() * ('9007199254740991'::bigint)::double precision))::bigint,
  max_ttl_enabled boolean not null default false,
  audit_trails_enabled boolean not null default true,
  audit_trails_changed_at timestamp(3) with time zone,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_name_unique UNIQUE (name)
);
CREATE INDEX organizations_owners_role ON public.organizations USING btree (owners_team_saml_role_id) WHERE (owners_team_saml_role_id IS NOT NULL);

create table password_links (
  id text not null,
  user_id text not null,
  hash bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  expires_at timestamp(3) with time zone not null,
  constraint password_links_pkey PRIMARY KEY (id),
  constraint password_links_hash_unique UNIQUE (hash)
);
CREATE INDEX password_links_user ON public.password_links USING btree (user_id);

create table passwords (
  user_id text not null,
  hash text not null,
  changed_at timestamp(3) with time zone not null default now(),
  constraint passwords_pkey PRIMARY KEY (user_id)
);

create table pending_commit_statuses (
  configuration_version_id text not null,
  revision integer not null default 1,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null default clock_timestamp(),
  claimed_until timestamp(3) with time zone,
  constraint pending_commit_statuses_pkey PRIMARY KEY (configuration_version_id)
);
CREATE INDEX pending_commit_statuses_by_time ON public.pending_commit_statuses USING btree (due_at, configuration_version_id);

create table pending_links (
  workspace_id text not null,
  created_by_id text,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint pending_links_pkey PRIMARY KEY (workspace_id)
);
CREATE INDEX pending_links_by_creator ON public.pending_links USING btree (created_by_id) WHERE (created_by_id IS NOT NULL);

create table pending_notifications (
  position bigint not null,
  notification_configuration_id text not null,
  trigger text not null,
  run_id text,
  details jsonb not null,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null default clock_timestamp(),
  claimed_until timestamp(3) with time zone,
  delivered_to text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  workspace_id text,
  constraint pending_notifications_pkey PRIMARY KEY ("position")
);
CREATE INDEX pending_notifications_by_configuration ON public.pending_notifications USING btree (notification_configuration_id);
CREATE INDEX pending_notifications_by_run ON public.pending_notifications USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX pending_notifications_by_time ON public.pending_notifications USING btree (due_at, "position");
CREATE INDEX pending_notifications_by_workspace ON public.pending_notifications USING btree (workspace_id) WHERE (workspace_id IS NOT NULL);

create table pending_run_triggers (
  id text not null,
  run_id text not null,
  workspace_id text not null,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint pending_run_triggers_pkey PRIMARY KEY (id)
);
CREATE INDEX pending_run_triggers_by_age ON public.pending_run_triggers USING btree (created_at, id);
CREATE INDEX pending_run_triggers_by_run ON public.pending_run_triggers USING btree (run_id);
CREATE INDEX pending_run_triggers_by_workspace ON public.pending_run_triggers USING btree (workspace_id);

create table plans (
  id text not null,
  run_id text not null,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null default '{}'::jsonb,
  has_changes boolean not null default false,
  generated_configuration boolean not null default false,
  resource_additions integer,
  resource_changes integer,
  resource_destructions integer,
  resource_imports integer,
  log bytea not null default '\x'::bytea,
  started_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  execution_details jsonb,
  assessment jsonb,
  constraint plans_pkey PRIMARY KEY (id),
  constraint plans_run_unique UNIQUE (run_id)
);

create table project_tag_bindings (
  id text not null,
  organization_id text not null,
  project_id text not null,
  key text not null,
  value text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint project_tag_bindings_pkey PRIMARY KEY (id),
  constraint project_tag_bindings_key_unique UNIQUE (project_id, key)
);
CREATE INDEX project_tag_bindings_search ON public.project_tag_bindings USING btree (organization_id, key, value, project_id);

create table project_workspace_counts (
  project_id text not null,
  slot smallint not null,
  workspaces integer not null,
  constraint project_workspace_counts_pkey PRIMARY KEY (project_id, slot)
);

create table projects (
  id text not null,
  organization_id text not null,
  name text not null,
  description text,
  auto_destroy_activity_duration text,
  overwrites_execution_mode boolean not null default false,
  default_execution_mode text,
  default_agent_pool_id text,
  created_at timestamp(3) with time zone not null default now(),
  revision bigint not null default ((random() * ('9007199254740991'::bigint)::double precision))::bigint,
  constraint projects_pkey PRIMARY KEY (id),
  constraint projects_name_unique UNIQUE (organization_id, name)
);
CREATE INDEX projects_with_duration ON public.projects USING btree (id) WHERE (auto_destroy_activity_duration IS NOT NULL);

create table recovery_codes (
  user_id text not null,
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash)
);

create table remote_state_consumers (
  workspace_id text not null,
  consumer_id text not null,
  constraint remote_state_consumers_pkey PRIMARY KEY (workspace_id, consumer_id),
  constraint remote_state_consumers_not_itself CHECK ((workspace_id <> consumer_id))
);
CREATE INDEX remote_state_consumers_by_consumer ON public.remote_state_consumers USING btree (consumer_id, workspace_id);

create table reserved_tag_keys (
  id text not null,
  organization_id text not null,
  key text not null,
  disable_overrides boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint reserved_tag_keys_pkey PRIMARY KEY (id),
  constraint reserved_tag_keys_key_unique UNIQUE (organization_id, key)
);

create table run_artifacts (
  run_id text not null,
  name text not null,
  blob_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint run_artifacts_pkey PRIMARY KEY (run_id, name)
);
CREATE INDEX run_artifacts_by_blob ON public.run_artifacts USING btree (blob_id);

create table run_events (
  id text not null,
  run_id text not null,
  action text not null,
  description text,
  actor_id text,
  comment_id text,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint run_events_pkey PRIMARY KEY (id)
);
CREATE INDEX run_events_by_comment ON public.run_events USING btree (comment_id) WHERE (comment_id IS NOT NULL);
CREATE INDEX run_events_by_run ON public.run_events USING btree (run_id, created_at, id);

create table run_tasks (
  id text not null,
  organization_id text not null,
  name text not null,
  url text not null,
  sealed_hmac_key bytea,
  category text not null,
  description text,
  enabled boolean not null,
  created_at timestamp(3) with time zone not null default now(),
  global_enabled boolean not null default false,
  global_stages text[] not null default '{post_plan}'::text[],
  global_enforcement_level text not null default 'advisory'::text,
  constraint run_tasks_pkey PRIMARY KEY (id),
  constraint run_tasks_name_unique UNIQUE (organization_id, name)
);

create table run_triggers (
  id text not null,
  workspace_id text not null,
  sourceable_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint run_triggers_pkey PRIMARY KEY (id),
  constraint run_triggers_not_itself CHECK ((workspace_id <> sourceable_id)),
  constraint run_triggers_source_unique UNIQUE (workspace_id, sourceable_id)
);
CREATE INDEX run_triggers_by_source ON public.run_triggers USING btree (sourceable_id, workspace_id);

create table runs (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  position integer not null,
  configuration_version_id text,
  plan_id text not null,
  apply_id text,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null,
  source text not null,
  trigger_reason text not null default 'manual'::text,
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
  agent_pool_id text,
  created_by_id text not null,
  confirmed_by_id text,
  has_changes boolean not null default false,
  failed_policy_check boolean not null default false,
  canceled_at timestamp(3) with time zone,
  force_cancel_available_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  finished_at timestamp(3) with time zone,
  execution_mode text not null default 'remote'::text,
  sealed_variables bytea,
  force_canceled_at timestamp(3) with time zone,
  trigger_depth integer not null default 0,
  is_assessment boolean not null default false,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_position_unique UNIQUE (workspace_id, "position")
);
CREATE INDEX runs_assessments ON public.runs USING btree (workspace_id, created_at) WHERE is_assessment;
CREATE INDEX runs_by_agent_pool ON public.runs USING btree (agent_pool_id) WHERE (agent_pool_id IS NOT NULL);
CREATE INDEX runs_by_configuration_version ON public.runs USING btree (configuration_version_id);
CREATE INDEX runs_by_organization ON public.runs USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX runs_counted ON public.runs USING btree (workspace_id, finished_at DESC, id DESC) WHERE (status = ANY (ARRAY['errored'::text, 'applied'::text]));
CREATE INDEX runs_not_finished ON public.runs USING btree (organization_id, status) WHERE (finished_at IS NULL);
CREATE INDEX runs_saved ON public.runs USING btree (created_at, id) WHERE (status = 'planned_and_saved'::text);
CREATE INDEX runs_waiting ON public.runs USING btree (organization_id, created_at, id) WHERE (status = ANY (ARRAY['pending'::text, 'plan_queued'::text, 'apply_queued'::text]));

create table saml_arrivals (
  hash bytea not null,
  provider text not null,
  request_id text not null,
  profile jsonb not null,
  expires_at timestamp(3) with time zone not null,
  constraint saml_arrivals_pkey PRIMARY KEY (hash)
);
CREATE INDEX saml_arrivals_by_time ON public.saml_arrivals USING btree (expires_at);

create table second_factors (
  user_id text not null,
  sealed_secret bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  confirmed_at timestamp(3) with time zone,
  last_period bigint not null default 0,
  constraint second_factors_pkey PRIMARY KEY (user_id)
);

create table servers (
  id text not null,
  host text not null,
  process_id integer not null,
  version text not null,
  node_version text not null,
  schema_version integer not null,
  started_at timestamp(3) with time zone not null,
  seen_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint servers_pkey PRIMARY KEY (id)
);

create table sessions (
  id text not null,
  user_id text not null,
  hash bytea not null,
  method text not null,
  created_at timestamp(3) with time zone not null default now(),
  last_used_at timestamp(3) with time zone not null default now(),
  idle_minutes integer not null,
  expires_at timestamp(3) with time zone not null,
  remote_address text,
  user_agent text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_hash_unique UNIQUE (hash)
);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, created_at, id);

create table sign_in_attempts (
  key bytea not null,
  count integer not null,
  window_ends_at timestamp(3) with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (key)
);

create table sign_in_identities (
  issuer text not null,
  subject text not null,
  user_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  last_used_at timestamp(3) with time zone not null default now(),
  constraint sign_in_identities_pkey PRIMARY KEY (issuer, subject),
  constraint sign_in_identities_user_unique UNIQUE (user_id, issuer)
);

create table sign_in_providers (
  id text not null,
  name text not null,
  kind text not null,
  label text not null,
  issuer text not null,
  client_id text,
  sealed_client_secret bytea,
  scopes text not null,
  sign_in_url text,
  certificates text,
  groups_claim text not null,
  username_claim text not null,
  trusts_addresses boolean not null,
  creates_accounts boolean not null,
  address_domains text[] not null default '{}'::text[],
  organizations text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null default now(),
  constraint sign_in_providers_pkey PRIMARY KEY (id),
  constraint sign_in_providers_kind_known CHECK ((kind = ANY (ARRAY['openid-connect'::text, 'saml'::text]))),
  constraint sign_in_providers_name_unique UNIQUE (name)
);

create table site_settings (
  id text not null,
  limit_user_organization_creation boolean not null,
  default_remote_state_access boolean not null default false,
  constraint site_settings_pkey PRIMARY KEY (id)
);

create table ssh_keys (
  id text not null,
  organization_id text not null,
  name text not null,
  sealed_value bytea not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint ssh_keys_pkey PRIMARY KEY (id),
  constraint ssh_keys_name_unique UNIQUE (organization_id, name)
);

create table state_instances (
  blob_id text not null,
  address_digest text not null,
  id text not null,
  address text not null,
  name text not null,
  name_index text,
  module text not null,
  provider text not null,
  provider_type text not null,
  fingerprint text not null,
  constraint state_instances_pkey PRIMARY KEY (blob_id, address_digest)
);

create table state_version_outputs (
  id text not null,
  state_version_id text,
  name text not null,
  sensitive boolean not null,
  type text not null,
  detailed_type jsonb,
  sealed_value bytea not null,
  blob_id text,
  constraint state_version_outputs_pkey PRIMARY KEY (id)
);
CREATE INDEX state_version_outputs_by_blob ON public.state_version_outputs USING btree (blob_id) WHERE (blob_id IS NOT NULL);
CREATE INDEX state_version_outputs_by_version ON public.state_version_outputs USING btree (state_version_id, id);

create table state_versions (
  id text not null,
  workspace_id text not null,
  position integer not null,
  status text not null,
  intermediate boolean not null,
  awaits_json boolean not null,
  is_forced boolean not null default false,
  serial bigint not null,
  md5 text not null,
  lineage text,
  created_by_id text not null,
  run_id text,
  created_at timestamp(3) with time zone not null default now(),
  blob_id text,
  json_blob_id text,
  size bigint not null default 0,
  format_version integer,
  engine_version text,
  is_readable boolean not null default true,
  resources_processed boolean not null default false,
  resource_count integer not null default 0,
  billable_rum_count integer not null default 0,
  modules jsonb,
  providers jsonb,
  resources jsonb not null default '[]'::jsonb,
  constraint state_versions_pkey PRIMARY KEY (id),
  constraint state_versions_position_unique UNIQUE (workspace_id, "position")
);
CREATE INDEX state_versions_by_blob ON public.state_versions USING btree (blob_id) WHERE (blob_id IS NOT NULL);
CREATE INDEX state_versions_by_json_blob ON public.state_versions USING btree (json_blob_id) WHERE (json_blob_id IS NOT NULL);
CREATE INDEX state_versions_unsettled ON public.state_versions USING btree (workspace_id, "position") WHERE intermediate;
CREATE INDEX state_versions_with_content ON public.state_versions USING btree (workspace_id, created_at) WHERE ((blob_id IS NOT NULL) OR (json_blob_id IS NOT NULL));

create table subscriptions (
  organization_id text not null,
  feature_set_id text not null,
  agents_ceiling integer,
  runs_ceiling integer,
  contract_apply_limit integer,
  contract_user_limit integer,
  contract_start_at timestamp(3) with time zone,
  end_at timestamp(3) with time zone,
  constraint subscriptions_pkey PRIMARY KEY (organization_id)
);

create table tags (
  id text not null,
  organization_id text not null,
  name text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint tags_pkey PRIMARY KEY (id),
  constraint tags_name_unique UNIQUE (organization_id, name)
);

create table taken_assertions (
  issuer text not null,
  assertion_id text not null,
  expires_at timestamp(3) with time zone not null,
  constraint taken_assertions_pkey PRIMARY KEY (issuer, assertion_id)
);
CREATE INDEX taken_assertions_by_time ON public.taken_assertions USING btree (expires_at);

create table task_results (
  id text not null,
  task_stage_id text not null,
  run_task_id text,
  task_id text not null,
  task_name text not null,
  task_url text not null,
  workspace_task_id text,
  enforcement_level text not null,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null default '{}'::jsonb,
  message text,
  url text,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone,
  started_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint task_results_pkey PRIMARY KEY (id)
);
CREATE INDEX task_results_by_stage ON public.task_results USING btree (task_stage_id, id);
CREATE INDEX task_results_by_task ON public.task_results USING btree (run_task_id) WHERE (run_task_id IS NOT NULL);
CREATE INDEX task_results_due ON public.task_results USING btree (due_at, id) WHERE ((status = 'pending'::text) AND (due_at IS NOT NULL));
CREATE INDEX task_results_open ON public.task_results USING btree (expires_at, id) WHERE (status = 'running'::text);

create table task_stages (
  id text not null,
  run_id text not null,
  stage text not null,
  status text not null default 'pending'::text,
  status_timestamps jsonb not null default '{}'::jsonb,
  created_at timestamp(3) with time zone not null default clock_timestamp(),
  updated_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint task_stages_pkey PRIMARY KEY (id),
  constraint task_stages_stage_unique UNIQUE (run_id, stage)
);

create table team_memberships (
  team_id text not null,
  organization_membership_id text not null,
  mapped_by text,
  constraint team_memberships_pkey PRIMARY KEY (team_id, organization_membership_id)
);
CREATE INDEX team_memberships_member ON public.team_memberships USING btree (organization_membership_id);

create table team_projects (
  id text not null,
  team_id text not null,
  project_id text not null,
  access text not null,
  project_access jsonb not null,
  workspace_access jsonb not null,
  powers integer not null,
  workspace_powers integer not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint team_projects_pkey PRIMARY KEY (id),
  constraint team_projects_unique UNIQUE (team_id, project_id)
);
CREATE INDEX team_projects_by_project ON public.team_projects USING btree (project_id, team_id, powers, workspace_powers);

create table team_workspaces (
  id text not null,
  team_id text not null,
  workspace_id text not null,
  access text not null,
  runs text not null,
  variables text not null,
  state_versions text not null,
  sentinel_mocks text not null,
  workspace_locking boolean not null,
  run_tasks boolean not null,
  policy_overrides boolean not null,
  powers integer not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint team_workspaces_pkey PRIMARY KEY (id),
  constraint team_workspaces_unique UNIQUE (team_id, workspace_id)
);
CREATE INDEX team_workspaces_by_workspace ON public.team_workspaces USING btree (workspace_id, team_id, powers);

create table teams (
  id text not null,
  organization_id text not null,
  name text not null,
  visibility text not null default 'secret'::text,
  sso_team_id text,
  allow_member_token_management boolean not null default true,
  is_owners boolean not null default false,
  organization_access integer not null default 0,
  created_at timestamp(3) with time zone not null default now(),
  constraint teams_pkey PRIMARY KEY (id),
  constraint teams_name_unique UNIQUE (organization_id, name)
);
CREATE INDEX teams_sso_team_id ON public.teams USING btree (sso_team_id) WHERE (sso_team_id IS NOT NULL);

create table token_ttl_policies (
  organization_id text not null,
  token_type text not null,
  max_ttl_ms bigint not null,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint token_ttl_policies_pkey PRIMARY KEY (organization_id, token_type)
);

create table tokens (
  id text not null,
  kind text not null,
  user_id text not null,
  team_id text,
  organization_id text,
  hash bytea not null,
  description text,
  created_at timestamp(3) with time zone not null default now(),
  last_used_at timestamp(3) with time zone,
  expired_at timestamp(3) with time zone,
  created_by_type text not null,
  created_by_id text not null,
  agent_pool_id text,
  run_id text,
  run_phase text,
  task_result_id text,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_hash_unique UNIQUE (hash)
);
CREATE UNIQUE INDEX tokens_audit_trails_unique ON public.tokens USING btree (organization_id) WHERE (kind = 'audit-trails'::text);
CREATE INDEX tokens_by_agent_pool ON public.tokens USING btree (agent_pool_id, created_at, id) WHERE (agent_pool_id IS NOT NULL);
CREATE INDEX tokens_by_run ON public.tokens USING btree (run_id) WHERE (run_id IS NOT NULL);
CREATE INDEX tokens_by_task_result ON public.tokens USING btree (task_result_id) WHERE (task_result_id IS NOT NULL);
CREATE UNIQUE INDEX tokens_organization_unique ON public.tokens USING btree (organization_id) WHERE (kind = 'organization'::text);
CREATE UNIQUE INDEX tokens_team_description_unique ON public.tokens USING btree (team_id, description) WHERE (kind = 'team'::text);
CREATE UNIQUE INDEX tokens_team_single_unique ON public.tokens USING btree (team_id) WHERE ((kind = 'team'::text) AND (description IS NULL));
CREATE INDEX tokens_user ON public.tokens USING btree (user_id, created_at, id);

create table unfinished_resources (
  workspace_id text not null,
  state_version_id text not null,
  next_digest text not null default ''::text,
  began_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint unfinished_resources_pkey PRIMARY KEY (workspace_id)
);

create table users (
  id text not null,
  username text,
  email text not null,
  is_admin boolean not null default false,
  is_service_account boolean not null default false,
  service_of_id text,
  created_at timestamp(3) with time zone not null default now(),
  unconfirmed_email text,
  access_revision bigint not null default ((random() * ('9007199254740991'::bigint)::double precision))::bigint,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_service_unique UNIQUE (service_of_id),
  constraint users_username_unique UNIQUE (username)
);
CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email)) WHERE (NOT is_service_account);

create table variable_set_projects (
  variable_set_id text not null,
  project_id text not null,
  constraint variable_set_projects_pkey PRIMARY KEY (variable_set_id, project_id)
);
CREATE INDEX variable_set_projects_by_project ON public.variable_set_projects USING btree (project_id, variable_set_id);

create table variable_set_workspaces (
  variable_set_id text not null,
  workspace_id text not null,
  constraint variable_set_workspaces_pkey PRIMARY KEY (variable_set_id, workspace_id)
);
CREATE INDEX variable_set_workspaces_by_workspace ON public.variable_set_workspaces USING btree (workspace_id, variable_set_id);

create table variable_sets (
  id text not null,
  organization_id text not null,
  project_id text,
  name text not null,
  description text not null default ''::text,
  global boolean not null default false,
  priority boolean not null default false,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  constraint variable_sets_pkey PRIMARY KEY (id),
  constraint variable_sets_global_of_organization CHECK (((project_id IS NULL) OR (NOT global)))
);
CREATE INDEX variable_sets_by_organization ON public.variable_sets USING btree (organization_id, name, id);
CREATE UNIQUE INDEX variable_sets_name_unique ON public.variable_sets USING btree (organization_id, name) WHERE (project_id IS NULL);
CREATE UNIQUE INDEX variable_sets_project_name_unique ON public.variable_sets USING btree (project_id, name) WHERE (project_id IS NOT NULL);

create table variables (
  id text not null,
  organization_id text not null,
  workspace_id text,
  key text not null,
  category text not null,
  value text,
  sealed_value bytea,
  sensitive boolean not null,
  hcl boolean not null,
  description text,
  version_id text not null,
  created_at timestamp(3) with time zone not null default now(),
  variable_set_id text,
  in_global_set boolean not null default false,
  constraint variables_pkey PRIMARY KEY (id),
  constraint variables_key_unique UNIQUE (workspace_id, category, key),
  constraint variables_of_one_home CHECK (((workspace_id IS NULL) <> (variable_set_id IS NULL))),
  constraint variables_value_once CHECK ((((value IS NULL) = sensitive) AND ((sealed_value IS NOT NULL) = sensitive)))
);
CREATE INDEX variables_by_variable_set ON public.variables USING btree (variable_set_id, created_at, id) WHERE (variable_set_id IS NOT NULL);
CREATE INDEX variables_by_workspace ON public.variables USING btree (workspace_id, created_at, id);
CREATE UNIQUE INDEX variables_global_key_unique ON public.variables USING btree (organization_id, category, key) WHERE in_global_set;
CREATE UNIQUE INDEX variables_set_key_unique ON public.variables USING btree (variable_set_id, category, key) WHERE (variable_set_id IS NOT NULL);

create table webhook_deliveries (
  id text not null,
  position bigint not null,
  oauth_client_id text not null,
  delivery_id text not null,
  body_hash bytea not null,
  received_at timestamp(3) with time zone not null default clock_timestamp(),
  events jsonb not null,
  explanation text,
  worked_off_at timestamp(3) with time zone,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null default clock_timestamp(),
  claimed_until timestamp(3) with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_content_once UNIQUE (oauth_client_id, body_hash),
  constraint webhook_deliveries_id_once UNIQUE (oauth_client_id, delivery_id)
);
CREATE INDEX webhook_deliveries_by_age ON public.webhook_deliveries USING btree (received_at);
CREATE INDEX webhook_deliveries_by_client ON public.webhook_deliveries USING btree (oauth_client_id, "position");
CREATE INDEX webhook_deliveries_by_time ON public.webhook_deliveries USING btree (oauth_client_id, received_at);
CREATE INDEX webhook_deliveries_waiting ON public.webhook_deliveries USING btree (oauth_client_id, "position") WHERE (worked_off_at IS NULL);

create table webhook_outcomes (
  webhook_delivery_id text not null,
  event_position smallint not null,
  workspace_id text not null,
  begins text,
  reason text not null,
  configuration_version_id text,
  constraint webhook_outcomes_pkey PRIMARY KEY (webhook_delivery_id, event_position, workspace_id)
);
CREATE INDEX webhook_outcomes_by_version ON public.webhook_outcomes USING btree (configuration_version_id) WHERE (configuration_version_id IS NOT NULL);
CREATE INDEX webhook_outcomes_by_workspace ON public.webhook_outcomes USING btree (workspace_id);

create table workspace_counts (
  organization_id text not null,
  slot smallint not null,
  workspaces integer not null,
  constraint workspace_counts_pkey PRIMARY KEY (organization_id, slot)
);

create table workspace_former_names (
  organization_id text not null,
  name text not null,
  workspace_id text not null,
  renamed_at timestamp(3) with time zone not null default clock_timestamp(),
  constraint workspace_former_names_pkey PRIMARY KEY (organization_id, name, workspace_id)
);
CREATE INDEX workspace_former_names_by_time ON public.workspace_former_names USING btree (organization_id, renamed_at);
CREATE INDEX workspace_former_names_of_workspace ON public.workspace_former_names USING btree (workspace_id);

create table workspace_readmes (
  id text not null,
  workspace_id text not null,
  raw_markdown text not null,
  constraint workspace_readmes_pkey PRIMARY KEY (id),
  constraint workspace_readmes_workspace_unique UNIQUE (workspace_id)
);

create table workspace_resources (
  id text not null,
  workspace_id text not null,
  address text not null,
  address_digest text not null,
  name text not null,
  name_index text,
  module text not null,
  provider text not null,
  provider_type text not null,
  fingerprint text not null,
  modified_by_state_version_id text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint workspace_resources_pkey PRIMARY KEY (id),
  constraint workspace_resources_address_unique UNIQUE (workspace_id, address_digest)
);
CREATE INDEX workspace_resources_by_address ON public.workspace_resources USING btree (workspace_id, "left"(address, 500), id);

create table workspace_status_counts (
  organization_id text not null,
  slot integer not null,
  status text not null,
  workspaces integer not null,
  constraint workspace_status_counts_pkey PRIMARY KEY (organization_id, slot, status)
);

create table workspace_tag_bindings (
  id text not null,
  organization_id text not null,
  workspace_id text not null,
  key text not null,
  value text not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint workspace_tag_bindings_pkey PRIMARY KEY (id),
  constraint workspace_tag_bindings_key_unique UNIQUE (workspace_id, key)
);
CREATE INDEX workspace_tag_bindings_search ON public.workspace_tag_bindings USING btree (organization_id, key, value, workspace_id);

create table workspace_tags (
  workspace_id text not null,
  tag_id text not null,
  constraint workspace_tags_pkey PRIMARY KEY (workspace_id, tag_id)
);
CREATE INDEX workspace_tags_by_tag ON public.workspace_tags USING btree (tag_id, workspace_id);

create table workspace_tasks (
  id text not null,
  workspace_id text not null,
  run_task_id text not null,
  enforcement_level text not null,
  stages text[] not null,
  created_at timestamp(3) with time zone not null default now(),
  constraint workspace_tasks_pkey PRIMARY KEY (id),
  constraint workspace_tasks_task_unique UNIQUE (workspace_id, run_task_id)
);
CREATE INDEX workspace_tasks_by_task ON public.workspace_tasks USING btree (run_task_id);

create table workspaces (
  id text not null,
  organization_id text not null,
  project_id text not null,
  name text not null,
  description text,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now(),
  latest_change_at timestamp(3) with time zone not null default now(),
  allow_destroy_plan boolean not null default true,
  assessments_enabled boolean not null default false,
  auto_apply boolean not null default false,
  auto_apply_run_trigger boolean not null default false,
  auto_destroy_at timestamp(3) with time zone,
  auto_destroy_activity_duration text,
  inherits_project_auto_destroy boolean not null default true,
  environment text not null default 'default'::text,
  overwrites_execution_mode boolean not null default false,
  execution_mode text,
  agent_pool_id text,
  file_triggers_enabled boolean not null default true,
  global_remote_state boolean not null default false,
  project_remote_state boolean not null default false,
  queue_all_runs boolean not null default false,
  resource_count integer not null default 0,
  source text not null default 'tfe-api'::text,
  source_name text,
  source_url text,
  speculative_enabled boolean not null default true,
  structured_run_output_enabled boolean not null default true,
  engine_version text not null,
  trigger_patterns text[] not null default '{}'::text[],
  trigger_prefixes text[] not null default '{}'::text[],
  vcs_repo jsonb,
  working_directory text,
  ssh_key_id text,
  locked boolean not null default false,
  locked_reason text,
  locked_by_type text,
  locked_by_id text,
  current_run_id text,
  current_run_status text,
  current_run_created_at timestamp(3) with time zone,
  current_state_version_id text,
  current_configuration_version_id text,
  run_metrics jsonb,
  revision bigint not null default ((random() * ('9007199254740991'::bigint)::double precision))::bigint,
  locked_at timestamp(3) with time zone,
  lock_expires_at timestamp(3) with time zone,
  auto_destroy_run_id text,
  auto_destroy_errored_at timestamp(3) with time zone,
  auto_destroy_reminded_for timestamp(3) with time zone,
  auto_destroy_reminded_hours smallint,
  assessed_at timestamp(3) with time zone,
  current_assessment_result_id text,
  last_assessment_result_at timestamp(3) with time zone,
  readme_id text,
  constraint workspaces_pkey PRIMARY KEY (id),
  constraint workspaces_lock_has_holder CHECK ((locked = (locked_by_type IS NOT NULL))),
  constraint workspaces_name_unique UNIQUE (organization_id, name)
);
CREATE INDEX workspaces_assessed ON public.workspaces USING btree (assessed_at NULLS FIRST) WHERE assessments_enabled;
CREATE INDEX workspaces_by_agent_pool ON public.workspaces USING btree (agent_pool_id) WHERE (agent_pool_id IS NOT NULL);
CREATE INDEX workspaces_by_auto_destroy ON public.workspaces USING btree (auto_destroy_at) WHERE (auto_destroy_at IS NOT NULL);
CREATE INDEX workspaces_by_auto_destroy_run ON public.workspaces USING btree (auto_destroy_run_id) WHERE (auto_destroy_run_id IS NOT NULL);
CREATE INDEX workspaces_by_current_run ON public.workspaces USING btree (organization_id, current_run_created_at, id);
CREATE INDEX workspaces_by_latest_change ON public.workspaces USING btree (organization_id, latest_change_at, id);
CREATE INDEX workspaces_by_lock_end ON public.workspaces USING btree (lock_expires_at) WHERE (locked AND (lock_expires_at IS NOT NULL));
CREATE INDEX workspaces_by_name ON public.workspaces USING btree (organization_id, name, id);
CREATE INDEX workspaces_by_newest_run ON public.workspaces USING btree (organization_id, current_run_created_at DESC NULLS LAST, id DESC);
CREATE INDEX workspaces_by_oauth_token ON public.workspaces USING btree (((vcs_repo ->> 'oauth-token-id'::text))) WHERE ((vcs_repo ->> 'oauth-token-id'::text) IS NOT NULL);
CREATE INDEX workspaces_by_project ON public.workspaces USING btree (project_id, name, id);
CREATE INDEX workspaces_by_run_status ON public.workspaces USING btree (organization_id, current_run_status) WHERE (current_run_status IS NOT NULL);
CREATE INDEX workspaces_by_ssh_key ON public.workspaces USING btree (ssh_key_id) WHERE (ssh_key_id IS NOT NULL);
CREATE INDEX workspaces_locked ON public.workspaces USING btree (organization_id, locked_by_id, id) WHERE locked;
CREATE INDEX workspaces_with_own_duration ON public.workspaces USING btree (id) WHERE (auto_destroy_activity_duration IS NOT NULL);

alter table agent_pool_allowed_projects add constraint agent_pool_allowed_projects_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table agent_pool_allowed_projects add constraint agent_pool_allowed_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table agent_pool_allowed_workspaces add constraint agent_pool_allowed_workspaces_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table agent_pool_allowed_workspaces add constraint agent_pool_allowed_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table agent_pool_excluded_workspaces add constraint agent_pool_excluded_workspaces_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table agent_pool_excluded_workspaces add constraint agent_pool_excluded_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table agent_pools add constraint agent_pools_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table agents add constraint agents_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table agents add constraint agents_token_id_fkey FOREIGN KEY (token_id) REFERENCES tokens(id) ON DELETE SET NULL;
alter table applies add constraint applies_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table assessment_results add constraint assessment_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table assessment_results add constraint assessment_results_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table blob_chunks add constraint blob_chunks_blob_gone FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE;
alter table blobs add constraint blobs_workspace_gone FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table comments add constraint comments_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table configuration_fetches add constraint configuration_fetches_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_versions(id) ON DELETE CASCADE;
alter table configuration_fetches add constraint configuration_fetches_oauth_token_id_fkey FOREIGN KEY (oauth_token_id) REFERENCES oauth_tokens(id) ON DELETE SET NULL;
alter table configuration_versions add constraint configuration_versions_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE SET NULL;
alter table configuration_versions add constraint configuration_versions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table data_retention_policies add constraint data_retention_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table data_retention_policies add constraint data_retention_policies_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table familiar_addresses add constraint familiar_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table jobs add constraint jobs_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES agents(id) ON DELETE SET NULL;
alter table jobs add constraint jobs_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table jobs add constraint jobs_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_versions(id) ON DELETE CASCADE;
alter table jobs add constraint jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table jobs add constraint jobs_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table log_chunks add constraint log_chunks_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table login_codes add constraint login_codes_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table login_codes add constraint login_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table notification_configuration_users add constraint notification_configuration_us_notification_configuration_i_fkey FOREIGN KEY (notification_configuration_id) REFERENCES notification_configurations(id) ON DELETE CASCADE;
alter table notification_configuration_users add constraint notification_configuration_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table notification_configurations add constraint notification_configurations_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table notification_configurations add constraint notification_configurations_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table notification_configurations add constraint notification_configurations_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table oauth_client_projects add constraint oauth_client_projects_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE;
alter table oauth_client_projects add constraint oauth_client_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table oauth_clients add constraint oauth_clients_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE SET NULL;
alter table oauth_clients add constraint oauth_clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table oauth_tokens add constraint oauth_tokens_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE;
alter table organization_memberships add constraint organization_memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table organization_memberships add constraint organization_memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table organizations add constraint organizations_agent_pool_used FOREIGN KEY (default_agent_pool_id) REFERENCES agent_pools(id);
alter table password_links add constraint password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table passwords add constraint passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table pending_commit_statuses add constraint pending_commit_statuses_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_versions(id) ON DELETE CASCADE;
alter table pending_links add constraint pending_links_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES users(id) ON DELETE SET NULL;
alter table pending_links add constraint pending_links_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table pending_notifications add constraint pending_notifications_notification_configuration_id_fkey FOREIGN KEY (notification_configuration_id) REFERENCES notification_configurations(id) ON DELETE CASCADE;
alter table pending_notifications add constraint pending_notifications_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table pending_notifications add constraint pending_notifications_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table pending_run_triggers add constraint pending_run_triggers_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table pending_run_triggers add constraint pending_run_triggers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table plans add constraint plans_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table project_tag_bindings add constraint project_tag_bindings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table project_tag_bindings add constraint project_tag_bindings_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table project_workspace_counts add constraint project_workspace_counts_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table projects add constraint projects_agent_pool_used FOREIGN KEY (default_agent_pool_id) REFERENCES agent_pools(id);
alter table projects add constraint projects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table remote_state_consumers add constraint remote_state_consumers_consumer_id_fkey FOREIGN KEY (consumer_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table remote_state_consumers add constraint remote_state_consumers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table reserved_tag_keys add constraint reserved_tag_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table run_artifacts add constraint run_artifacts_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE;
alter table run_artifacts add constraint run_artifacts_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table run_events add constraint run_events_comment_id_fkey FOREIGN KEY (comment_id) REFERENCES comments(id) ON DELETE SET NULL;
alter table run_events add constraint run_events_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table run_tasks add constraint run_tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table run_triggers add constraint run_triggers_sourceable_id_fkey FOREIGN KEY (sourceable_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table run_triggers add constraint run_triggers_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table runs add constraint runs_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE SET NULL;
alter table runs add constraint runs_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_versions(id) ON DELETE SET NULL;
alter table runs add constraint runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table runs add constraint runs_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table second_factors add constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sign_in_identities add constraint sign_in_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table ssh_keys add constraint ssh_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table state_instances add constraint state_instances_blob_gone FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE;
alter table state_version_outputs add constraint state_version_outputs_blob_gone FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE CASCADE;
alter table state_version_outputs add constraint state_version_outputs_state_version_id_fkey FOREIGN KEY (state_version_id) REFERENCES state_versions(id) ON DELETE CASCADE;
alter table state_versions add constraint state_versions_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(id) ON DELETE SET NULL;
alter table state_versions add constraint state_versions_json_blob_id_fkey FOREIGN KEY (json_blob_id) REFERENCES blobs(id) ON DELETE SET NULL;
alter table state_versions add constraint state_versions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table subscriptions add constraint subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table tags add constraint tags_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table task_results add constraint task_results_run_task_id_fkey FOREIGN KEY (run_task_id) REFERENCES run_tasks(id) ON DELETE SET NULL;
alter table task_results add constraint task_results_task_stage_id_fkey FOREIGN KEY (task_stage_id) REFERENCES task_stages(id) ON DELETE CASCADE;
alter table task_stages add constraint task_stages_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table team_memberships add constraint team_memberships_organization_membership_id_fkey FOREIGN KEY (organization_membership_id) REFERENCES organization_memberships(id) ON DELETE CASCADE;
alter table team_memberships add constraint team_memberships_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table team_projects add constraint team_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table team_projects add constraint team_projects_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table team_workspaces add constraint team_workspaces_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table team_workspaces add constraint team_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table teams add constraint teams_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table token_ttl_policies add constraint token_ttl_policies_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_agent_pool_id_fkey FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_run_id_fkey FOREIGN KEY (run_id) REFERENCES runs(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_task_result_id_fkey FOREIGN KEY (task_result_id) REFERENCES task_results(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_team_id_fkey FOREIGN KEY (team_id) REFERENCES teams(id) ON DELETE CASCADE;
alter table tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table unfinished_resources add constraint unfinished_resources_state_version_id_fkey FOREIGN KEY (state_version_id) REFERENCES state_versions(id) ON DELETE CASCADE;
alter table unfinished_resources add constraint unfinished_resources_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table variable_set_projects add constraint variable_set_projects_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table variable_set_projects add constraint variable_set_projects_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_sets(id) ON DELETE CASCADE;
alter table variable_set_workspaces add constraint variable_set_workspaces_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_sets(id) ON DELETE CASCADE;
alter table variable_set_workspaces add constraint variable_set_workspaces_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table variable_sets add constraint variable_sets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table variable_sets add constraint variable_sets_project_id_fkey FOREIGN KEY (project_id) REFERENCES projects(id) ON DELETE CASCADE;
alter table variables add constraint variables_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table variables add constraint variables_variable_set_id_fkey FOREIGN KEY (variable_set_id) REFERENCES variable_sets(id) ON DELETE CASCADE;
alter table variables add constraint variables_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_oauth_client_id_fkey FOREIGN KEY (oauth_client_id) REFERENCES oauth_clients(id) ON DELETE CASCADE;
alter table webhook_outcomes add constraint webhook_outcomes_configuration_version_id_fkey FOREIGN KEY (configuration_version_id) REFERENCES configuration_versions(id) ON DELETE SET NULL;
alter table webhook_outcomes add constraint webhook_outcomes_webhook_delivery_id_fkey FOREIGN KEY (webhook_delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE;
alter table webhook_outcomes add constraint webhook_outcomes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_counts add constraint workspace_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table workspace_former_names add constraint workspace_former_names_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table workspace_former_names add constraint workspace_former_names_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_readmes add constraint workspace_readmes_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_resources add constraint workspace_resources_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_status_counts add constraint workspace_status_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table workspace_tag_bindings add constraint workspace_tag_bindings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table workspace_tag_bindings add constraint workspace_tag_bindings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_tags add constraint workspace_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tags(id) ON DELETE CASCADE;
alter table workspace_tags add constraint workspace_tags_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspace_tasks add constraint workspace_tasks_run_task_id_fkey FOREIGN KEY (run_task_id) REFERENCES run_tasks(id) ON DELETE CASCADE;
alter table workspace_tasks add constraint workspace_tasks_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspaces(id) ON DELETE CASCADE;
alter table workspaces add constraint workspaces_agent_pool_used FOREIGN KEY (agent_pool_id) REFERENCES agent_pools(id);
alter table workspaces add constraint workspaces_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table workspaces add constraint workspaces_project_used FOREIGN KEY (project_id) REFERENCES projects(id);
alter table workspaces add constraint workspaces_ssh_key_id_fkey FOREIGN KEY (ssh_key_id) REFERENCES ssh_keys(id) ON DELETE SET NULL;

CREATE OR REPLACE FUNCTION public.change_of(operation text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  return case operation when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end;
end
$function$;

CREATE OR REPLACE FUNCTION public.count_workspace_status()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into workspace_status_counts as counts (organization_id, slot, status, workspaces)
  select changes.organization_id, pg_backend_pid(), changes.status, changes.change
  from (values
    (old.organization_id, old.current_run_status, -1),
    (new.organization_id, new.current_run_status, 1)
  ) as changes (organization_id, status, change)
  join organizations on organizations.id = changes.organization_id
  where changes.status is not null
  order by changes.status
  on conflict (organization_id, slot, status) do update set workspaces = counts.workspaces + excluded.workspaces;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_former_workspace_name()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from workspace_former_names as known
  where known.organization_id = new.organization_id and known.renamed_at < now() - interval '30 days';
  insert into workspace_former_names (organization_id, name, workspace_id)
  values (old.organization_id, old.name, old.id)
  on conflict (organization_id, name, workspace_id) do update set renamed_at = clock_timestamp();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_agent_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(agent_pools.organization_id, 'agents', one.id, change_of(tg_op), 'members')
  from agent_pools where agent_pools.id = one.agent_pool_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_agent_pool_scope_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(agent_pools.organization_id, 'agent-pools', agent_pools.id, 'updated', 'members')
  from agent_pools where agent_pools.id = one.agent_pool_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_change(organization text, kind text, record text, what text, told text, workspace text DEFAULT NULL::text, project text DEFAULT NULL::text, team text DEFAULT NULL::text, person text DEFAULT NULL::text, teams_before text[] DEFAULT NULL::text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into changes (
    organization_id, type, record_id, change, audience, workspace_id, project_id, team_id, user_id, team_ids
  )
  select organization, kind, record, what, told, workspace, project, team, person, teams_before
  where exists (select from organizations where organizations.id = organization);
end
$function$;

CREATE OR REPLACE FUNCTION public.note_change_in_workspace(kind text, record text, what text, told text, workspace text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform note_change(workspaces.organization_id, kind, record, what, told, workspaces.id)
  from workspaces where workspaces.id = workspace;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_change_within_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(one.organization_id, tg_argv[0], one.id, change_of(tg_op), tg_argv[1]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_change_within_workspace()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change_in_workspace(tg_argv[0], one.id, change_of(tg_op), tg_argv[1], one.workspace_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_oauth_token_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(oauth_clients.organization_id, 'oauth-clients', oauth_clients.id, 'updated', 'connections')
  from oauth_clients where oauth_clients.id = one.oauth_client_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_object_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into object_removals (object, is_partial) values (old.object, old.sha256 is null)
  on conflict on constraint object_removals_pkey do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_organization_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    delete from changes where changes.organization_id = old.id;
  else
    perform note_change(new.id, 'organizations', new.name, 'updated', 'members');
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_organization_membership_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(one.organization_id, 'organization-memberships', one.id, change_of(tg_op), 'members');
  perform note_change(one.organization_id, 'users', one.user_id, 'updated', 'user', person => one.user_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_organization_setting_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(organizations.id, 'organizations', organizations.name, 'updated', 'members')
  from organizations where organizations.id = one.organization_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_parts_of_variable_sets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_change(variable_sets.organization_id, 'varsets', variable_sets.id, 'updated', 'variable-set')
  from variable_sets where variable_sets.id in (select parts.variable_set_id from parts);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_project_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform note_change(old.organization_id, 'projects', old.id, 'deleted', 'project', null, old.id,
      teams_before => array(select team_projects.team_id from team_projects where team_projects.project_id = old.id));
    return old;
  end if;
  perform note_change(new.organization_id, 'projects', new.id, change_of(tg_op), 'project', null, new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_project_notification_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(projects.organization_id, 'projects', projects.id, 'updated', 'project', null, projects.id)
  from projects where projects.id = one.project_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_run_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_change(new.organization_id, 'runs', new.id, change_of(tg_op), 'workspace', new.workspace_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_run_trigger_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change_in_workspace('run-triggers', one.id, change_of(tg_op), 'workspace', one.workspace_id),
    note_change_in_workspace('run-triggers', one.id, change_of(tg_op), 'workspace', one.sourceable_id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_state_version_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_change(workspaces.organization_id, 'state-versions', new.id, change_of(tg_op), 'workspace', workspaces.id)
  from workspaces where workspaces.id = new.workspace_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_team_access_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(teams.organization_id, replace(tg_table_name, '_', '-'), one.id, change_of(tg_op), 'team-members',
    team => teams.id)
  from teams where teams.id = one.team_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_team_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform note_change(old.organization_id, 'teams', old.id, 'deleted',
      case old.visibility when 'organization' then 'members' else 'owners' end);
  else
    perform note_change(new.organization_id, 'teams', new.id, change_of(tg_op), 'team', team => new.id);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_team_membership_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(memberships.organization_id, 'teams', one.team_id, 'updated', 'team', team => one.team_id),
    note_change(memberships.organization_id, 'users', memberships.user_id, 'updated', 'user', person => memberships.user_id)
  from organization_memberships as memberships where memberships.id = one.organization_membership_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_team_token_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(teams.organization_id, 'teams', teams.id, 'updated', 'team', team => teams.id)
  from teams where teams.id = one.team_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_workspace_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_by_second_factor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array_remove(array[old.user_id, new.user_id], null));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_by_token_ttl_policy()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access_in(coalesce(new.organization_id, old.organization_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_members()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array(select members.user_id from members));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array[old.user_id, new.user_id]);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_organization()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access_in(old.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_team()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array(
    select organization_memberships.user_id from team_memberships
    join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
    where team_memberships.team_id = old.id
    union
    select users.id from users where users.service_of_id = old.id
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_team_members()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array(
    select organization_memberships.user_id from members
    join organization_memberships on organization_memberships.id = members.organization_membership_id
  ));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.renew_access_of_team_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform renew_access(array(
    select organization_memberships.user_id from organization_memberships
    where organization_memberships.id in (old.organization_membership_id, new.organization_membership_id)
  ));
  return null;
end
$function$;

CREATE TRIGGER agent_pool_allowed_projects_noted AFTER INSERT OR DELETE ON public.agent_pool_allowed_projects FOR EACH ROW EXECUTE FUNCTION note_agent_pool_scope_change();

CREATE TRIGGER agent_pool_allowed_workspaces_noted AFTER INSERT OR DELETE ON public.agent_pool_allowed_workspaces FOR EACH ROW EXECUTE FUNCTION note_agent_pool_scope_change();

CREATE TRIGGER agent_pool_excluded_workspaces_noted AFTER INSERT OR DELETE ON public.agent_pool_excluded_workspaces FOR EACH ROW EXECUTE FUNCTION note_agent_pool_scope_change();

CREATE TRIGGER agent_pools_noted AFTER INSERT OR DELETE OR UPDATE ON public.agent_pools FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('agent-pools', 'members');

CREATE TRIGGER agents_change_noted AFTER UPDATE ON public.agents FOR EACH ROW WHEN ((old.exited_at IS DISTINCT FROM new.exited_at)) EXECUTE FUNCTION note_agent_change();

CREATE TRIGGER agents_come_and_gone_noted AFTER INSERT OR DELETE ON public.agents FOR EACH ROW EXECUTE FUNCTION note_agent_change();

CREATE TRIGGER note_object_of_deleted_blob AFTER DELETE ON public.blobs FOR EACH ROW WHEN ((old.object IS NOT NULL)) EXECUTE FUNCTION note_object_removal();

CREATE TRIGGER note_object_of_moved_blob AFTER UPDATE OF object ON public.blobs FOR EACH ROW WHEN (((old.object IS NOT NULL) AND (old.object IS DISTINCT FROM new.object))) EXECUTE FUNCTION note_object_removal();

CREATE TRIGGER configuration_versions_change_noted AFTER UPDATE ON public.configuration_versions FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION note_change_within_workspace('configuration-versions', 'workspace');

CREATE TRIGGER configuration_versions_made_noted AFTER INSERT ON public.configuration_versions FOR EACH ROW EXECUTE FUNCTION note_change_within_workspace('configuration-versions', 'workspace');

CREATE TRIGGER data_retention_policies_noted AFTER INSERT OR DELETE OR UPDATE ON public.data_retention_policies FOR EACH ROW EXECUTE FUNCTION note_organization_setting_change();

CREATE TRIGGER notification_configurations_noted AFTER INSERT OR DELETE OR UPDATE ON public.notification_configurations FOR EACH ROW EXECUTE FUNCTION note_change_within_workspace('notification-configurations', 'workspace-admins');

CREATE TRIGGER project_notifications_change_noted AFTER UPDATE ON public.notification_configurations FOR EACH ROW WHEN (((to_jsonb(old.*) - 'sealed_responses'::text) IS DISTINCT FROM (to_jsonb(new.*) - 'sealed_responses'::text))) EXECUTE FUNCTION note_project_notification_change();

CREATE TRIGGER project_notifications_come_and_go_noted AFTER INSERT OR DELETE ON public.notification_configurations FOR EACH ROW EXECUTE FUNCTION note_project_notification_change();

CREATE TRIGGER oauth_clients_noted AFTER INSERT OR DELETE OR UPDATE ON public.oauth_clients FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('oauth-clients', 'connections');

CREATE TRIGGER oauth_tokens_noted AFTER INSERT OR DELETE OR UPDATE ON public.oauth_tokens FOR EACH ROW EXECUTE FUNCTION note_oauth_token_change();

CREATE TRIGGER organization_memberships_access_begun AFTER INSERT ON public.organization_memberships REFERENCING NEW TABLE AS members FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_members();

CREATE TRIGGER organization_memberships_access_changed AFTER UPDATE ON public.organization_memberships FOR EACH ROW WHEN (((old.user_id IS DISTINCT FROM new.user_id) OR (old.organization_id IS DISTINCT FROM new.organization_id) OR (old.status IS DISTINCT FROM new.status))) EXECUTE FUNCTION renew_access_of_membership();

CREATE TRIGGER organization_memberships_access_ended AFTER DELETE ON public.organization_memberships REFERENCING OLD TABLE AS members FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_members();

CREATE TRIGGER organization_memberships_noted AFTER INSERT OR DELETE OR UPDATE ON public.organization_memberships FOR EACH ROW EXECUTE FUNCTION note_organization_membership_change();

CREATE TRIGGER organizations_access_changed AFTER UPDATE ON public.organizations FOR EACH ROW WHEN (((old.user_tokens_enabled IS DISTINCT FROM new.user_tokens_enabled) OR (old.max_ttl_enabled IS DISTINCT FROM new.max_ttl_enabled) OR (old.collaborator_auth_policy IS DISTINCT FROM new.collaborator_auth_policy))) EXECUTE FUNCTION renew_access_of_organization();

CREATE TRIGGER organizations_change_noted AFTER UPDATE ON public.organizations FOR EACH ROW WHEN ((old.revision <> new.revision)) EXECUTE FUNCTION note_organization_change();

CREATE TRIGGER organizations_end_noted AFTER DELETE ON public.organizations FOR EACH ROW EXECUTE FUNCTION note_organization_change();

CREATE TRIGGER projects_change_noted AFTER UPDATE ON public.projects FOR EACH ROW WHEN ((old.revision <> new.revision)) EXECUTE FUNCTION note_project_change();

CREATE TRIGGER projects_end_noted BEFORE DELETE ON public.projects FOR EACH ROW EXECUTE FUNCTION note_project_change();

CREATE TRIGGER projects_made_noted AFTER INSERT ON public.projects FOR EACH ROW EXECUTE FUNCTION note_project_change();

CREATE TRIGGER reserved_tag_keys_noted AFTER INSERT OR DELETE OR UPDATE ON public.reserved_tag_keys FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('reserved-tag-keys', 'members');

CREATE TRIGGER run_tasks_noted AFTER INSERT OR DELETE OR UPDATE ON public.run_tasks FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('tasks', 'members');

CREATE TRIGGER run_triggers_noted AFTER INSERT OR DELETE ON public.run_triggers FOR EACH ROW EXECUTE FUNCTION note_run_trigger_change();

CREATE TRIGGER runs_change_noted AFTER UPDATE ON public.runs FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION note_run_change();

CREATE TRIGGER runs_made_noted AFTER INSERT ON public.runs FOR EACH ROW EXECUTE FUNCTION note_run_change();

CREATE TRIGGER second_factors_access_begun AFTER INSERT OR DELETE ON public.second_factors FOR EACH ROW EXECUTE FUNCTION renew_access_by_second_factor();

CREATE TRIGGER second_factors_access_changed AFTER UPDATE ON public.second_factors FOR EACH ROW WHEN (((old.user_id IS DISTINCT FROM new.user_id) OR (old.confirmed_at IS DISTINCT FROM new.confirmed_at))) EXECUTE FUNCTION renew_access_by_second_factor();

CREATE TRIGGER ssh_keys_noted AFTER INSERT OR DELETE OR UPDATE ON public.ssh_keys FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('ssh-keys', 'connections');

CREATE TRIGGER state_versions_change_noted AFTER UPDATE ON public.state_versions FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION note_state_version_change();

CREATE TRIGGER state_versions_made_noted AFTER INSERT ON public.state_versions FOR EACH ROW EXECUTE FUNCTION note_state_version_change();

CREATE TRIGGER team_memberships_access_begun AFTER INSERT ON public.team_memberships REFERENCING NEW TABLE AS members FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_team_members();

CREATE TRIGGER team_memberships_access_changed AFTER UPDATE ON public.team_memberships FOR EACH ROW WHEN (((old.team_id IS DISTINCT FROM new.team_id) OR (old.organization_membership_id IS DISTINCT FROM new.organization_membership_id))) EXECUTE FUNCTION renew_access_of_team_membership();

CREATE TRIGGER team_memberships_access_ended AFTER DELETE ON public.team_memberships REFERENCING OLD TABLE AS members FOR EACH STATEMENT EXECUTE FUNCTION renew_access_of_team_members();

CREATE TRIGGER team_memberships_noted AFTER INSERT OR DELETE ON public.team_memberships FOR EACH ROW EXECUTE FUNCTION note_team_membership_change();

CREATE TRIGGER team_projects_noted AFTER INSERT OR DELETE OR UPDATE ON public.team_projects FOR EACH ROW EXECUTE FUNCTION note_team_access_change();

CREATE TRIGGER team_workspaces_noted AFTER INSERT OR DELETE OR UPDATE ON public.team_workspaces FOR EACH ROW EXECUTE FUNCTION note_team_access_change();

CREATE TRIGGER teams_access_changed AFTER UPDATE ON public.teams FOR EACH ROW WHEN (((old.organization_id IS DISTINCT FROM new.organization_id) OR (old.is_owners IS DISTINCT FROM new.is_owners) OR (old.organization_access IS DISTINCT FROM new.organization_access))) EXECUTE FUNCTION renew_access_of_team();

CREATE TRIGGER teams_noted AFTER INSERT OR DELETE OR UPDATE ON public.teams FOR EACH ROW EXECUTE FUNCTION note_team_change();

CREATE TRIGGER token_ttl_policies_access AFTER INSERT OR DELETE OR UPDATE ON public.token_ttl_policies FOR EACH ROW EXECUTE FUNCTION renew_access_by_token_ttl_policy();

CREATE TRIGGER token_ttl_policies_noted AFTER INSERT OR DELETE OR UPDATE ON public.token_ttl_policies FOR EACH ROW EXECUTE FUNCTION note_organization_setting_change();

CREATE TRIGGER team_tokens_end_noted AFTER DELETE ON public.tokens FOR EACH ROW WHEN ((old.kind = 'team'::text)) EXECUTE FUNCTION note_team_token_change();

CREATE TRIGGER team_tokens_made_noted AFTER INSERT ON public.tokens FOR EACH ROW WHEN ((new.kind = 'team'::text)) EXECUTE FUNCTION note_team_token_change();

CREATE TRIGGER variable_set_projects_gone_noted AFTER DELETE ON public.variable_set_projects REFERENCING OLD TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variable_set_projects_made_noted AFTER INSERT ON public.variable_set_projects REFERENCING NEW TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variable_set_workspaces_gone_noted AFTER DELETE ON public.variable_set_workspaces REFERENCING OLD TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variable_set_workspaces_made_noted AFTER INSERT ON public.variable_set_workspaces REFERENCING NEW TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variable_sets_change_noted AFTER UPDATE ON public.variable_sets FOR EACH ROW WHEN (((old.name <> new.name) OR (old.description <> new.description) OR (old.global <> new.global) OR (old.priority <> new.priority))) EXECUTE FUNCTION note_change_within_organization('varsets', 'variable-set');

CREATE TRIGGER variable_sets_come_and_gone_noted AFTER INSERT OR DELETE ON public.variable_sets FOR EACH ROW EXECUTE FUNCTION note_change_within_organization('varsets', 'variable-set');

CREATE TRIGGER variables_change_in_sets_noted AFTER UPDATE ON public.variables REFERENCING NEW TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variables_gone_from_sets_noted AFTER DELETE ON public.variables REFERENCING OLD TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variables_made_in_sets_noted AFTER INSERT ON public.variables REFERENCING NEW TABLE AS parts FOR EACH STATEMENT EXECUTE FUNCTION note_parts_of_variable_sets();

CREATE TRIGGER variables_noted AFTER INSERT OR DELETE OR UPDATE ON public.variables FOR EACH ROW EXECUTE FUNCTION note_change_within_workspace('vars', 'workspace-variables');

CREATE TRIGGER workspace_tasks_noted AFTER INSERT OR DELETE OR UPDATE ON public.workspace_tasks FOR EACH ROW EXECUTE FUNCTION note_change_within_workspace('workspace-tasks', 'workspace');

CREATE TRIGGER workspaces_change_noted AFTER UPDATE ON public.workspaces FOR EACH ROW WHEN ((old.revision <> new.revision)) EXECUTE FUNCTION note_workspace_change();

CREATE TRIGGER workspaces_end_noted BEFORE DELETE ON public.workspaces FOR EACH ROW EXECUTE FUNCTION note_workspace_change();

CREATE TRIGGER workspaces_former_name_kept AFTER UPDATE OF name ON public.workspaces FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION keep_former_workspace_name();

CREATE TRIGGER workspaces_made_noted AFTER INSERT ON public.workspaces FOR EACH ROW EXECUTE FUNCTION note_workspace_change();

CREATE TRIGGER workspaces_status_changed AFTER UPDATE OF current_run_status ON public.workspaces FOR EACH ROW WHEN ((old.current_run_status IS DISTINCT FROM new.current_run_status)) EXECUTE FUNCTION count_workspace_status();

CREATE TRIGGER workspaces_status_gone AFTER DELETE ON public.workspaces FOR EACH ROW WHEN ((old.current_run_status IS NOT NULL)) EXECUTE FUNCTION count_workspace_status();

CREATE TRIGGER workspaces_status_made AFTER INSERT ON public.workspaces FOR EACH ROW WHEN ((new.current_run_status IS NOT NULL)) EXECUTE FUNCTION count_workspace_status();
