-- Serves whoever discards saved plans that are past their age.
create index runs_saved on runs (created_at, id) where status = 'planned_and_saved';
