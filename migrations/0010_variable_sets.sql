-- Variable sets: variables that many workspaces share, owned by an organization or by one of its projects.

create table variable_sets (
  id text constraint variable_sets_pkey primary key,
  organization_id text not null references organizations on delete cascade,
  -- The project that owns the set; null where the organization does.
  project_id text references projects on delete cascade,
  name text not null,
  description text not null default '',
  -- Whether it applies to every workspace of the organization.
  global boolean not null default false,
  -- Whether its variables prevail over those of a more specific scope.
  priority boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint variable_sets_global_of_organization check (project_id is null or not global)
);
create unique index variable_sets_name_unique on variable_sets (organization_id, name) where project_id is null;
create unique index variable_sets_project_name_unique on variable_sets (project_id, name) where project_id is not null;
-- Serves the list of an organization's sets, and the reference when it goes.
create index variable_sets_by_organization on variable_sets (organization_id, name, id);

-- What a set applies to besides.
create table variable_set_workspaces (
  variable_set_id text not null references variable_sets on delete cascade,
  workspace_id text not null references workspaces on delete cascade,
  constraint variable_set_workspaces_pkey primary key (variable_set_id, workspace_id)
);
create table variable_set_projects (
  variable_set_id text not null references variable_sets on delete cascade,
  project_id text not null references projects on delete cascade,
  constraint variable_set_projects_pkey primary key (variable_set_id, project_id)
);
-- Serve the lists of a workspace and of a project, and the references when one goes.
create index variable_set_workspaces_by_workspace on variable_set_workspaces (workspace_id, variable_set_id);
create index variable_set_projects_by_project on variable_set_projects (project_id, variable_set_id);

-- A variable is of a workspace or of a set.
alter table variables alter column workspace_id drop not null;
alter table variables add column variable_set_id text references variable_sets on delete cascade;
alter table variables add constraint variables_of_one_home check ((workspace_id is null) <> (variable_set_id is null));
create unique index variables_set_key_unique on variables (variable_set_id, category, key)
  where variable_set_id is not null;
-- Serves the list of a set's variables, and their ids in its document.
create index variables_by_variable_set on variables (variable_set_id, created_at, id) where variable_set_id is not null;
-- The same as its set's `global`, so that no two global sets of an organization have the same key.
alter table variables add column in_global_set boolean not null default false;
create unique index variables_global_key_unique on variables (organization_id, category, key) where in_global_set;
