-- Who may say who somebody is: providers of single sign-on that site administrators set up. Those of the environment are not here.
create table sign_in_providers (
  id text constraint sign_in_providers_pkey primary key,
  -- Its part of the addresses that the provider knows.
  name text not null constraint sign_in_providers_name_unique unique,
  kind text not null,
  label text not null,
  -- By what it calls itself in what it signs.
  issuer text not null,
  client_id text,
  sealed_client_secret bytea,
  scopes text not null,
  sign_in_url text,
  certificates text,
  groups_claim text not null,
  username_claim text not null,
  trusts_addresses boolean not null,
  creates_accounts boolean not null,
  address_domains text[] not null default '{}',
  organizations text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  constraint sign_in_providers_kind_known check (kind in ('openid-connect', 'saml'))
);

-- Which account is whose, by the provider's own name for the person, which no address can take over.
create table sign_in_identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  constraint sign_in_identities_pkey primary key (issuer, subject),
  -- An account is one person to a provider. Serves the account's document, too.
  constraint sign_in_identities_user_unique unique (user_id, issuer)
);

-- The issuer whose groups brought somebody there; null where people did, whose decision stands.
alter table team_memberships add column mapped_by text;
alter table organization_memberships add column mapped_by text;

-- Serve the teams of somebody's groups.
create index teams_sso_team_id on teams (sso_team_id) where sso_team_id is not null;
create index organizations_owners_role on organizations (owners_team_saml_role_id) where owners_team_saml_role_id is not null;
