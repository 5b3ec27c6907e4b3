-- For which time of destruction people were reminded last, and how many hours before it.
alter table workspaces
  add column auto_destroy_reminded_for timestamptz(3),
  add column auto_destroy_reminded_hours smallint;
