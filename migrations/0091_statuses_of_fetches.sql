-- A commit's host is told of the fetch, too, and then of the run that it began: one row of both, however often they move
-- meanwhile. Nothing is lost with the rows of before: what moves on is noted anew.
drop table pending_commit_statuses;
create table pending_commit_statuses (
  configuration_version_id text constraint pending_commit_statuses_pkey primary key
    references configuration_versions on delete cascade,
  -- Counts the moves: who told of an earlier one leaves the row to be told again.
  revision integer not null default 1,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default clock_timestamp(),
  claimed_until timestamptz(3)
);
-- Serves the search for what is due.
create index pending_commit_statuses_by_time on pending_commit_statuses (due_at, configuration_version_id);
