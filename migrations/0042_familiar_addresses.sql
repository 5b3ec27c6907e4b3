-- From where people signed in before: guesses from elsewhere do not keep them out. Digests, as of attempts.
create table familiar_addresses (
  key bytea constraint familiar_addresses_pkey primary key,
  user_id text not null references users on delete cascade,
  last_used_at timestamptz(3) not null default now()
);
-- Serve the end of an account, and the end of what nobody used for long.
create index familiar_addresses_user on familiar_addresses (user_id);
create index familiar_addresses_by_time on familiar_addresses (last_used_at);
