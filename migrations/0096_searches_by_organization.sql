-- Outside a transaction, so that everybody goes on writing. What a run that was broken off has left is not complete.
drop index concurrently if exists workspaces_search;

-- Serves search[name] and search[wildcard-name] from three characters on, in one organization of many: the index before it
-- found the names of all organizations, of which all but one were thrown away. And it knew of names that are equal, so that
-- PostgreSQL looked a single workspace up by its twenty trigrams.
create index concurrently workspaces_search on workspaces using gin (organization_id, lower(name) gin_trgm_ops);

-- Without btree_gin.
create index concurrently if not exists workspaces_search on workspaces using gin (lower(name) gin_trgm_ops);

drop index concurrently if exists workspaces_name_search;
