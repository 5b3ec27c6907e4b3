-- A team shows whether it has a token of its own, so the feed tells of the team when that comes or goes; not where the token goes
-- with its team.
create function note_team_token_change() returns trigger language plpgsql as $$
declare
  one record;
begin
  one := case tg_op when 'DELETE' then old else new end;
  perform note_change(teams.organization_id, 'teams', teams.id, 'updated', 'team', team => teams.id)
  from teams where teams.id = one.team_id;
  return null;
end
$$;
create trigger team_tokens_made_noted after insert on tokens
  for each row when (new.kind = 'team') execute function note_team_token_change();
create trigger team_tokens_end_noted after delete on tokens
  for each row when (old.kind = 'team') execute function note_team_token_change();
