-- Who is told of a project is a setting of it: its readers hear that it has changed, and nothing of the notification.
create function note_project_notification_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(projects.organization_id, 'projects', projects.id, 'updated', 'project', null, projects.id)
  from projects where projects.id = one.project_id;
  return null;
end
$$;
create trigger project_notifications_noted after insert or update or delete on notification_configurations
  for each row execute function note_project_notification_change();
