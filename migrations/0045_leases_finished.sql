-- When the work of a lease was last done to its end: who watches learns from it that the work has stopped.
alter table leases add column finished_at timestamptz(3);
