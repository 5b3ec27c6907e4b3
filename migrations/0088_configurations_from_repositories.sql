-- Configurations that an agent fetches from a repository.

-- A job is for one phase of a run, or for the content of one configuration version.
alter table jobs
  alter column run_id drop not null,
  add column configuration_version_id text references configuration_versions on delete cascade,
  add constraint jobs_version_unique unique (configuration_version_id),
  add constraint jobs_of_one check (num_nonnulls(run_id, configuration_version_id) = 1);

-- Null for an agent without a git that it can use: it is handed no such job.
alter table agents add column git_version text;

-- What is to be fetched, for as long as the version waits for it.
create table configuration_fetches (
  configuration_version_id text constraint configuration_fetches_pkey primary key
    references configuration_versions on delete cascade,
  -- Null once the token is gone: nobody can fetch it any more.
  oauth_token_id text references oauth_tokens on delete set null,
  identifier text not null,
  with_submodules boolean not null,
  -- Without a commit the head of the branch is meant, and without a branch that of the repository.
  branch text,
  tag text,
  commit_sha text,
  -- Of the run that begins with the content; null where none does.
  run_message text,
  created_at timestamptz(3) not null default now()
);
-- Serves the removal of a token.
create index configuration_fetches_by_token on configuration_fetches (oauth_token_id) where oauth_token_id is not null;
