-- Contents may lie in an S3-compatible store: the row says under which name. Whoever writes an object names it in a row
-- before, and what no row names any more is noted here by the database itself, whichever way the row went; servers remove
-- such objects later, after the commit.
alter table blobs
  -- Its name in the store; without one the content is in blob_chunks.
  add column object text,
  -- The ids of the keys that sealed what is in the object.
  add column object_keys text[];
-- Serves whoever looks for what lies in the store, in the order of ids.
create index blobs_in_objects on blobs (id) where object is not null;

create table object_removals (
  object text constraint object_removals_pkey primary key,
  -- An upload of it may not have come to its end, and has to be broken off there.
  is_partial boolean not null,
  noted_at timestamptz(3) not null default clock_timestamp()
);
-- Serves the removal of what was noted long enough ago.
create index object_removals_by_time on object_removals (noted_at);

create function note_object_removal() returns trigger language plpgsql as $$
begin
  insert into object_removals (object, is_partial) values (old.object, old.sha256 is null)
  on conflict on constraint object_removals_pkey do nothing;
  return null;
end
$$;

create trigger note_object_of_deleted_blob after delete on blobs
  for each row when (old.object is not null) execute function note_object_removal();
create trigger note_object_of_moved_blob after update of object on blobs
  for each row when (old.object is not null and old.object is distinct from new.object)
  execute function note_object_removal();
