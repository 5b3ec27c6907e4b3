-- What new workspaces share of their state, where neither they nor their organization say it.
alter table site_settings add column default_remote_state_access boolean not null default false;
-- Null: as the installation says. What organizations have had until now, they keep.
alter table organizations alter column default_global_remote_state drop not null;
alter table organizations alter column default_global_remote_state drop default;
