-- The second factor of people: codes of an authenticator app, and codes on paper in its place.

create table second_factors (
  user_id text constraint second_factors_pkey primary key references users on delete cascade,
  -- What the app computes its codes from.
  sealed_secret bytea not null,
  created_at timestamptz(3) not null default now(),
  -- Null until its person has shown a first code: it is not asked for before.
  confirmed_at timestamptz(3),
  -- The period of the last code that was taken: none is taken twice, nor an earlier one after it.
  last_period bigint not null default 0
);

create table recovery_codes (
  user_id text not null references users on delete cascade,
  -- A code that was used is gone.
  hash bytea not null,
  constraint recovery_codes_pkey primary key (user_id, hash)
);
