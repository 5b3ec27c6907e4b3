-- What a receiver answered is kept with its notification: an outcome, which each delivery writes anew, and no setting of the
-- project. All else of the row is one, also columns that are still to come.
drop trigger project_notifications_noted on notification_configurations;
create trigger project_notifications_come_and_go_noted after insert or delete on notification_configurations
  for each row execute function note_project_notification_change();
create trigger project_notifications_change_noted after update on notification_configurations
  for each row when (to_jsonb(old) - 'sealed_responses' is distinct from to_jsonb(new) - 'sealed_responses')
  execute function note_project_notification_change();
