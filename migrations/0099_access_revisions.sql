-- Each request asks once more who its caller is. A digest of all memberships, teams and organizations said so, which took longer
-- than what was asked for. Now every account has a revision, renewed with whatever changes what the account is somewhere: random
-- and not counted up, like those of workspaces.
alter table users add column access_revision bigint not null default (random() * 9007199254740991)::bigint;

-- Held in one order, so that two changes which concern the same people wait for each other, and not in a circle.
create function renew_access(ids text[]) returns void language sql as $$
  update users set access_revision = default
  from (select users.id from users where users.id = any(ids) order by users.id for no key update) as held
  where users.id = held.id
$$;

-- The members of an organization, its account and those of its teams.
create function renew_access_in(organization text) returns void language sql as $$
  select renew_access(array(
    select organization_memberships.user_id from organization_memberships
    where organization_memberships.organization_id = organization
    union
    select users.id from users
    where users.service_of_id = organization
      or users.service_of_id in (select teams.id from teams where teams.organization_id = organization)
  ))
$$;

create function renew_access_of_members() returns trigger language plpgsql as $$
begin
  perform renew_access(array(select members.user_id from members));
  return null;
end
$$;
create trigger organization_memberships_access_begun after insert on organization_memberships
  referencing new table as members for each statement execute function renew_access_of_members();
create trigger organization_memberships_access_ended after delete on organization_memberships
  referencing old table as members for each statement execute function renew_access_of_members();

create function renew_access_of_membership() returns trigger language plpgsql as $$
begin
  perform renew_access(array[old.user_id, new.user_id]);
  return null;
end
$$;
create trigger organization_memberships_access_changed after update on organization_memberships
  for each row when (
    old.user_id is distinct from new.user_id or old.organization_id is distinct from new.organization_id
    or old.status is distinct from new.status
  ) execute function renew_access_of_membership();

-- Whoever leaves the organization altogether is renewed by that.
create function renew_access_of_team_members() returns trigger language plpgsql as $$
begin
  perform renew_access(array(
    select organization_memberships.user_id from members
    join organization_memberships on organization_memberships.id = members.organization_membership_id
  ));
  return null;
end
$$;
create trigger team_memberships_access_begun after insert on team_memberships
  referencing new table as members for each statement execute function renew_access_of_team_members();
create trigger team_memberships_access_ended after delete on team_memberships
  referencing old table as members for each statement execute function renew_access_of_team_members();

create function renew_access_of_team_membership() returns trigger language plpgsql as $$
begin
  perform renew_access(array(
    select organization_memberships.user_id from organization_memberships
    where organization_memberships.id in (old.organization_membership_id, new.organization_membership_id)
  ));
  return null;
end
$$;
create trigger team_memberships_access_changed after update on team_memberships
  for each row when (
    old.team_id is distinct from new.team_id
    or old.organization_membership_id is distinct from new.organization_membership_id
  ) execute function renew_access_of_team_membership();

-- Whoever is on a team, or in an organization, that ends is renewed by what ends with it; and so do their tokens.
create function renew_access_of_team() returns trigger language plpgsql as $$
begin
  perform renew_access(array(
    select organization_memberships.user_id from team_memberships
    join organization_memberships on organization_memberships.id = team_memberships.organization_membership_id
    where team_memberships.team_id = old.id
    union
    select users.id from users where users.service_of_id = old.id
  ));
  return null;
end
$$;
create trigger teams_access_changed after update on teams
  for each row when (
    old.organization_id is distinct from new.organization_id or old.is_owners is distinct from new.is_owners
    or old.organization_access is distinct from new.organization_access
  ) execute function renew_access_of_team();

create function renew_access_of_organization() returns trigger language plpgsql as $$
begin
  perform renew_access_in(old.id);
  return null;
end
$$;
create trigger organizations_access_changed after update on organizations
  for each row when (
    old.user_tokens_enabled is distinct from new.user_tokens_enabled
    or old.max_ttl_enabled is distinct from new.max_ttl_enabled
    or old.collaborator_auth_policy is distinct from new.collaborator_auth_policy
  ) execute function renew_access_of_organization();

create function renew_access_by_token_ttl_policy() returns trigger language plpgsql as $$
begin
  perform renew_access_in(coalesce(new.organization_id, old.organization_id));
  return null;
end
$$;
create trigger token_ttl_policies_access after insert or update or delete on token_ttl_policies
  for each row execute function renew_access_by_token_ttl_policy();

create function renew_access_by_second_factor() returns trigger language plpgsql as $$
begin
  perform renew_access(array_remove(array[old.user_id, new.user_id], null));
  return null;
end
$$;
create trigger second_factors_access_begun after insert or delete on second_factors
  for each row execute function renew_access_by_second_factor();
create trigger second_factors_access_changed after update on second_factors
  for each row when (
    old.user_id is distinct from new.user_id or old.confirmed_at is distinct from new.confirmed_at
  ) execute function renew_access_by_second_factor();
