-- For an index that begins with the organization and goes on with the trigrams of a name (0096). Optional, as pg_trgm is.
do $$
begin
  create extension if not exists btree_gin;
exception
  when insufficient_privilege or undefined_file or feature_not_supported then
    raise notice 'btree_gin is not available: a search by name looks into the names of all organizations';
end
$$;
