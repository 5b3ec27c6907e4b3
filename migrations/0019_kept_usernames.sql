-- Names that accounts had: for a while nobody else gets one, since people are named by them.
create table kept_usernames (
  username text constraint kept_usernames_pkey primary key,
  user_id text not null,
  kept_until timestamptz(3) not null
);
