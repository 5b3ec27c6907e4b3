-- What a state holds is written in batches while it is read, before the version that it becomes part of is final.

-- Instances of a content that is not current yet: they become rows of workspace_resources, and go with their content.
create table state_instances (
  blob_id text not null constraint state_instances_blob_gone references blobs on delete cascade,
  address_digest text not null,
  id text not null,
  address text not null,
  name text not null,
  name_index text,
  module text not null,
  provider text not null,
  provider_type text not null,
  fingerprint text not null,
  constraint state_instances_pkey primary key (blob_id, address_digest)
);

insert into state_instances (blob_id, address_digest, id, address, name, name_index, module, provider, provider_type, fingerprint)
select state_versions.blob_id, instance.address_digest, instance.id, instance.address, instance.name, instance.name_index,
  instance.module, instance.provider, instance.provider_type, instance.fingerprint
from state_versions,
  jsonb_to_recordset(state_versions.instances) as instance (id text, address text, address_digest text, name text,
    name_index text, module text, provider text, provider_type text, fingerprint text)
where state_versions.instances is not null and state_versions.blob_id is not null
on conflict (blob_id, address_digest) do nothing;

drop index state_versions_unsettled;
alter table state_versions drop column instances;
-- Serves the change of the current version: the few that are not settled yet, of all that there are.
create index state_versions_unsettled on state_versions (workspace_id, position) where intermediate;

-- Without a version while their content is on its way.
alter table state_version_outputs alter column state_version_id drop not null;
alter table state_version_outputs add column blob_id text
  constraint state_version_outputs_blob_gone references blobs on delete cascade;
-- Serves the end of an upload, and the removal of blobs.
create index state_version_outputs_by_blob on state_version_outputs (blob_id) where blob_id is not null;
