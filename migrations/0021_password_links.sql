-- One-time links, by which people set a password without knowing one: for a new account, or for one that was lost.

create table password_links (
  id text constraint password_links_pkey primary key,
  user_id text not null references users on delete cascade,
  -- The secret is in the link alone. A link that was used is gone.
  hash bytea not null constraint password_links_hash_unique unique,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
-- Serves the end of a person's other links when one was used.
create index password_links_user on password_links (user_id);
