-- The known engine versions (§4.2): a table that ships filled and that site administrators extend. One line is one minor
-- version with its first and last patch release.
insert into engine_versions (id, version, official)
select
  'tool-' || substr(encode(sha256(convert_to(releases.version, 'UTF8')), 'hex'), 1, 16),
  releases.version,
  true
from (
  select lines.minor || '.' || patch.number as version
  from (
    values
      ('0.8', 0, 8),
      ('0.9', 0, 11),
      ('0.10', 0, 8),
      ('0.11', 0, 15),
      ('0.12', 0, 31),
      ('0.13', 0, 7),
      ('0.14', 0, 11),
      ('0.15', 0, 5),
      ('1.0', 0, 11),
      ('1.1', 0, 9),
      ('1.2', 0, 9),
      ('1.3', 0, 10),
      ('1.4', 0, 7),
      ('1.5', 0, 7),
      ('1.6', 0, 6),
      ('1.7', 0, 5),
      ('1.8', 0, 5),
      ('1.9', 0, 8),
      ('1.10', 0, 5),
      ('1.11', 0, 4),
      ('1.12', 0, 2),
      ('1.13', 0, 5),
      ('1.14', 0, 9),
      ('1.15', 0, 9),
      ('1.16', 0, 5),
      -- Patch releases of the tofu command line past those that terraform has of the same minor version.
      ('1.7', 6, 7),
      ('1.8', 6, 9),
      ('1.10', 6, 7),
      ('1.11', 5, 5)
  ) as lines (minor, first_patch, last_patch)
  cross join lateral generate_series(lines.first_patch, lines.last_patch) as patch (number)
) as releases
order by releases.version;
