-- A run task can be asked in all workspaces of its organization, beside those that name it.
alter table run_tasks
  add column global_enabled boolean not null default false,
  add column global_stages text[] not null default '{post_plan}',
  -- advisory or mandatory
  add column global_enforcement_level text not null default 'advisory';

-- Null where the task is asked in every workspace, and that one does not name it.
alter table task_results alter column workspace_task_id drop not null;
