-- How people sign in: their passwords, their sessions, and what is remembered of attempts.

create table passwords (
  user_id text constraint passwords_pkey primary key references users on delete cascade,
  -- In the form that names its own parameters: $argon2id$…
  hash text not null,
  changed_at timestamptz(3) not null default now()
);

create table sessions (
  id text constraint sessions_pkey primary key,
  user_id text not null references users on delete cascade,
  -- The secret is in the cookie alone.
  hash bytea not null constraint sessions_hash_unique unique,
  -- By what its person signed in: a password, a one-time link, …
  method text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3) not null default now(),
  -- It ends when nobody used it for so long, and at this moment at the latest; organizations of its person may want less.
  idle_minutes integer not null,
  expires_at timestamptz(3) not null,
  remote_address text,
  user_agent text
);
-- Serves the list of a person's sessions, and their end.
create index sessions_user on sessions (user_id, created_at, id);

-- Attempts to sign in, by a digest of the account or the address: all servers of a database count together.
create table sign_in_attempts (
  key bytea constraint sign_in_attempts_pkey primary key,
  count integer not null,
  window_ends_at timestamptz(3) not null
);
