-- Whether an organization's events are in the trail that collectors poll, and since when. They are recorded either way.
alter table organizations add column audit_trails_enabled boolean not null default true;
alter table organizations add column audit_trails_changed_at timestamptz(3);
