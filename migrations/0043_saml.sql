-- Assertions that were taken: by any of several servers, once, until they are good for nothing.
create table taken_assertions (
  issuer text not null,
  assertion_id text not null,
  expires_at timestamptz(3) not null,
  constraint taken_assertions_pkey primary key (issuer, assertion_id)
);
-- Serves the deletion of old ones.
create index taken_assertions_by_time on taken_assertions (expires_at);

-- Who was vouched for and has not arrived yet: browsers send no cookie along with what another site posts, so the person is
-- known to be at the browser that began only with the request after.
create table saml_arrivals (
  -- Of the ticket in the address.
  hash bytea constraint saml_arrivals_pkey primary key,
  provider text not null,
  -- The request that was answered.
  request_id text not null,
  profile jsonb not null,
  expires_at timestamptz(3) not null
);
create index saml_arrivals_by_time on saml_arrivals (expires_at);
