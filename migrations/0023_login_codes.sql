-- `terraform login`: what a person allowed in the browser, until the command line fetches its token with it.

create table login_codes (
  id text constraint login_codes_pkey primary key,
  -- Whoever signs out in between has allowed nothing.
  session_id text not null references sessions on delete cascade,
  user_id text not null references users on delete cascade,
  hash bytea not null constraint login_codes_hash_unique unique,
  -- The digest of what the command line alone knows (PKCE, S256).
  challenge text not null,
  redirect_uri text not null,
  expires_at timestamptz(3) not null
);
-- Serves the end of a session.
create index login_codes_session on login_codes (session_id);
