-- How long tokens may live: an organization that asks for it counts from their creation, by kind of token.
alter table organizations add column max_ttl_enabled boolean not null default false;

-- A kind without a row has the longest life that the server gives by itself.
create table token_ttl_policies (
  organization_id text not null references organizations on delete cascade,
  token_type text not null,
  max_ttl_ms bigint not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint token_ttl_policies_pkey primary key (organization_id, token_type)
);
