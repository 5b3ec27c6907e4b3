-- What runs are shown to before they go on: tasks of an organization, where they are asked, and what they said of each run.

create table run_tasks (
  id text constraint run_tasks_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  name text not null,
  url text not null,
  -- Null for requests that are not signed.
  sealed_hmac_key bytea,
  category text not null,
  description text,
  enabled boolean not null,
  created_at timestamptz(3) not null default now(),
  -- Serves the list of an organization, in the order of names.
  constraint run_tasks_name_unique unique (organization_id, name)
);

create table workspace_tasks (
  id text constraint workspace_tasks_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  run_task_id text not null references run_tasks on delete cascade,
  -- advisory or mandatory
  enforcement_level text not null,
  stages text[] not null,
  created_at timestamptz(3) not null default now(),
  -- Serves the list of a workspace.
  constraint workspace_tasks_task_unique unique (workspace_id, run_task_id)
);
-- Serves the list of a task, and its removal.
create index workspace_tasks_by_task on workspace_tasks (run_task_id);

-- The points of a run at which tasks are asked; made with the run.
create table task_stages (
  id text constraint task_stages_pkey primary key,
  run_id text not null references runs on delete cascade,
  stage text not null,
  status text not null default 'pending',
  status_timestamps jsonb not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  -- Serves the stages of a run.
  constraint task_stages_stage_unique unique (run_id, stage)
);

-- Task and address as they were when the run was made.
create table task_results (
  id text constraint task_results_pkey primary key,
  task_stage_id text not null references task_stages on delete cascade,
  -- Null once the task is gone: then it cannot be asked any more.
  run_task_id text references run_tasks on delete set null,
  task_id text not null,
  task_name text not null,
  task_url text not null,
  workspace_task_id text not null,
  enforcement_level text not null,
  status text not null default 'pending',
  status_timestamps jsonb not null default '{}',
  message text,
  url text,
  attempts integer not null default 0,
  -- When it is to be asked; null before its stage has begun.
  due_at timestamptz(3),
  -- A server is asking it until then, unless it has died.
  claimed_until timestamptz(3),
  started_at timestamptz(3),
  -- When it is too late for a result.
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp()
);
-- Serves the results of a stage.
create index task_results_by_stage on task_results (task_stage_id, id);
-- Serves the removal of a task.
create index task_results_by_task on task_results (run_task_id) where run_task_id is not null;
-- Serve the search for those that are to be asked, and that are overdue.
create index task_results_due on task_results (due_at, id) where status = 'pending' and due_at is not null;
create index task_results_open on task_results (expires_at, id) where status = 'running';

-- What a task shows when it reads the run, and brings its result.
alter table tokens add column task_result_id text references task_results on delete cascade;
-- Serves the end of a result.
create index tokens_by_task_result on tokens (task_result_id) where task_result_id is not null;
