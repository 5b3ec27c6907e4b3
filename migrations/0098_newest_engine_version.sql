-- Serves new workspaces that say no version: they sorted all that are known.
create index engine_versions_newest on engine_versions (
  (string_to_array(split_part(version, '-', 1), '.')::integer[]) desc, (position('-' in version) > 0), version desc, id
) where enabled and not beta and not deprecated and position('-' in version) = 0;
