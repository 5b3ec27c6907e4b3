-- Who is told of what happens in a workspace: addresses, what has still to be sent to them, and what they answered.

create table notification_configurations (
  id text constraint notification_configurations_pkey primary key,
  workspace_id text not null references workspaces on delete cascade,
  name text not null,
  enabled boolean not null,
  -- generic, slack, microsoft-teams or email
  destination_type text not null,
  -- Whoever knows such an address may post there, so it is sealed as the token is. Null for mail.
  sealed_url bytea,
  sealed_token bytea,
  triggers text[] not null default '{}',
  email_addresses text[] not null default '{}',
  -- The last few answers as JSON: they bear the address.
  sealed_responses bytea,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
-- Serves the list of a workspace, and the search for those that are to be told.
create index notification_configurations_by_workspace on notification_configurations (workspace_id, created_at, id);

-- Members who are told by mail.
create table notification_configuration_users (
  notification_configuration_id text not null references notification_configurations on delete cascade,
  user_id text not null references users on delete cascade,
  constraint notification_configuration_users_pkey primary key (notification_configuration_id, user_id)
);
-- Serves the removal of a user.
create index notification_configuration_users_by_user on notification_configuration_users (user_id);

-- Written in the transaction of what is told, and gone once it was delivered or given up.
create table pending_notifications (
  position bigint generated always as identity constraint pending_notifications_pkey primary key,
  notification_configuration_id text not null references notification_configurations on delete cascade,
  trigger text not null,
  run_id text references runs on delete cascade,
  -- What was so when it happened, and may be otherwise when it is told.
  details jsonb not null,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default clock_timestamp(),
  -- A server is sending it until then, unless it has died.
  claimed_until timestamptz(3),
  -- Addresses that have their letter already.
  delivered_to text[] not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp()
);
-- Serves the search for what is due.
create index pending_notifications_by_time on pending_notifications (due_at, position);
-- Serve the removal of configurations and runs.
create index pending_notifications_by_configuration on pending_notifications (notification_configuration_id);
create index pending_notifications_by_run on pending_notifications (run_id) where run_id is not null;
