-- Assessments: whether what a workspace manages still is as its state says. Each is a plan that nobody applies, which no list of runs shows.

alter table runs add column is_assessment boolean not null default false;
-- Serves whoever begins one, ends one because a run begins, and removes those before the last two.
create index runs_assessments on runs (workspace_id, created_at) where is_assessment;

-- What its agent counted.
alter table plans add column assessment jsonb;

create table assessment_results (
  id text constraint assessment_results_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  run_id text not null constraint assessment_results_run_unique unique references runs on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  succeeded boolean not null,
  error_message text,
  resources_drifted integer not null default 0,
  resources_undrifted integer not null default 0,
  checks_passed integer not null default 0,
  checks_failed integer not null default 0,
  checks_errored integer not null default 0,
  checks_unknown integer not null default 0
);
-- Serves the last ones of a workspace.
create index assessment_results_by_workspace on assessment_results (workspace_id, created_at desc);

alter table workspaces
  -- When the last one was begun; null also where one was given up for a run.
  add column assessed_at timestamptz(3),
  add column current_assessment_result_id text,
  add column last_assessment_result_at timestamptz(3);
-- Serves the search for those that are due; what an organization enforces is found by its own index.
create index workspaces_assessed on workspaces (assessed_at nulls first) where assessments_enabled;
