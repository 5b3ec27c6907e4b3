-- What a workspace's document shows lies in its row and in those of its project and organization. Whoever changes it
-- there, or changes the workspace's tags, variables, outputs or retention policy, gives one of the three rows a new
-- revision (`revision = default`), so that a server knows whether what it read before still holds. Random and not
-- counted: a database that is restored from a backup never comes back to a revision that meant something else.
alter table workspaces add column revision bigint not null default (random() * 9007199254740991)::bigint;
alter table projects add column revision bigint not null default (random() * 9007199254740991)::bigint;
alter table organizations add column revision bigint not null default (random() * 9007199254740991)::bigint;
