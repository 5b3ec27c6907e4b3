-- What happened outside of every organization, for site administrators.

-- Serves their list, newest first.
create index audit_events_of_site on audit_events (occurred_at, id) where organization_id is null;

-- The end of an organization is an event of none: nobody is left in it to read that.
update audit_events set organization_id = null where action = 'organizations.delete';
