-- The feed of changes tells of variable sets, with their variables and the places that they apply to, whoever may read the set.
-- An act on many variables or places of a set is one change of it.
alter table changes drop constraint changes_audience_known;
alter table changes add constraint changes_audience_known check (audience in (
  'workspace', 'workspace-admins', 'workspace-variables', 'variable-set', 'project', 'team', 'team-members', 'members',
  'connections', 'owners', 'user'
));

create trigger variable_sets_come_and_gone_noted after insert or delete on variable_sets
  for each row execute function note_change_within_organization('varsets', 'variable-set');
-- That its variables have changed moves its time: that is told of below.
create trigger variable_sets_change_noted after update on variable_sets
  for each row when (
    old.name <> new.name or old.description <> new.description or old.global <> new.global or old.priority <> new.priority
  )
  execute function note_change_within_organization('varsets', 'variable-set');

-- Of a table whose rows have a `variable_set_id`. With a set that goes goes what is its own: its end is told, and nothing more.
create function note_parts_of_variable_sets() returns trigger language plpgsql as $$
begin
  perform note_change(variable_sets.organization_id, 'varsets', variable_sets.id, 'updated', 'variable-set')
  from variable_sets where variable_sets.id in (select parts.variable_set_id from parts);
  return null;
end
$$;
create trigger variables_made_in_sets_noted after insert on variables
  referencing new table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variables_change_in_sets_noted after update on variables
  referencing new table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variables_gone_from_sets_noted after delete on variables
  referencing old table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variable_set_workspaces_made_noted after insert on variable_set_workspaces
  referencing new table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variable_set_workspaces_gone_noted after delete on variable_set_workspaces
  referencing old table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variable_set_projects_made_noted after insert on variable_set_projects
  referencing new table as parts for each statement execute function note_parts_of_variable_sets();
create trigger variable_set_projects_gone_noted after delete on variable_set_projects
  referencing old table as parts for each statement execute function note_parts_of_variable_sets();
