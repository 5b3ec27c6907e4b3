-- What executes runs: agents, the jobs that they take, and what comes back from them.

create table agents (
  id text constraint agents_pkey primary key,
  -- Null for an agent of the server itself, which executes what is in the mode `remote`.
  agent_pool_id text references agent_pools on delete cascade,
  -- What it signed in with: when that is revoked, the agent of a pool is nobody any more.
  token_id text references tokens on delete set null,
  secret_hash bytea not null constraint agents_secret_unique unique,
  name text,
  ip_address text,
  -- Name and version of each engine that it found.
  engines jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  last_ping_at timestamptz(3) not null default now(),
  exited_at timestamptz(3)
);
-- Serves the list of a pool's agents, and whether anything executes.
create index agents_by_pool on agents (agent_pool_id, created_at, id);
-- Serves the removal of a token.
create index agents_by_token on agents (token_id) where token_id is not null;

alter table runs
  add column execution_mode text not null default 'remote',
  -- Values of variables as they were when the run was made; gone when it is over.
  add column sealed_variables bytea,
  add column force_canceled_at timestamptz(3);
update runs set execution_mode = 'agent' where agent_pool_id is not null;

-- One for each phase of a run that is to be executed.
create table jobs (
  id text constraint jobs_pkey primary key,
  run_id text not null references runs on delete cascade,
  organization_id text not null references organizations on delete cascade,
  phase text not null,
  -- Applies before plans, and both before plans that nobody can apply.
  precedence smallint not null,
  is_built_in boolean not null,
  agent_pool_id text references agent_pools on delete cascade,
  -- queued, allocated (taken, not begun), running, over
  status text not null default 'queued',
  agent_id text references agents on delete set null,
  attempts integer not null default 0,
  -- Opens this job alone, to the agent that holds it.
  token_hash bytea constraint jobs_token_unique unique,
  -- The last sign of life of whoever works on it.
  seen_at timestamptz(3),
  log_bytes bigint not null default 0,
  outcome text,
  created_at timestamptz(3) not null default clock_timestamp(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  constraint jobs_phase_unique unique (run_id, phase)
);
-- Serves the hand-out.
create index jobs_queued on jobs (precedence, created_at, id) where status = 'queued';
-- Serves the search for those whose agent is silent, and what each agent and organization has under way.
create index jobs_under_way on jobs (seen_at) where status in ('allocated', 'running');
create index jobs_by_agent on jobs (agent_id) where agent_id is not null;
-- Serve the removal of pools and organizations.
create index jobs_by_pool on jobs (agent_pool_id) where agent_pool_id is not null;
create index jobs_by_organization on jobs (organization_id);

-- Output of a plan or an apply, as it came.
create table log_chunks (
  phase_id text not null,
  run_id text not null references runs on delete cascade,
  -- In bytes, of the whole log.
  position bigint not null,
  content bytea not null,
  constraint log_chunks_pkey primary key (phase_id, position)
);
-- Serves the removal of a run.
create index log_chunks_by_run on log_chunks (run_id);

-- What a phase leaves for the next one and for readers: the plan file, the lock file, the plan as JSON and the like.
create table run_artifacts (
  run_id text not null references runs on delete cascade,
  name text not null,
  blob_id text not null references blobs on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint run_artifacts_pkey primary key (run_id, name)
);
-- Serves the removal of blobs.
create index run_artifacts_by_blob on run_artifacts (blob_id);

-- Who executed it, as its document shows.
alter table plans add column execution_details jsonb;
alter table applies add column execution_details jsonb;

-- Under which the engine of one phase reads and writes.
alter table tokens
  add column run_id text references runs on delete cascade,
  add column run_phase text;
-- Serves the end of a phase.
create index tokens_by_run on tokens (run_id) where run_id is not null;
