import { counted } from './common.ts';

export const teams = {
  title: 'Teams',
  caption: (organization: string) => `Teams of ${organization}`,
  find: 'Find a team',
  create: 'New team',
  createSubmit: 'Create team',
  name: 'Name',
  nameHint: 'Letters, digits, - and _.',
  visibility: 'Visibility',
  visible: 'Visible',
  secret: 'Secret',
  visibilityHints: {
    organization: 'Every member can see it and its members.',
    secret: 'Only its members and the owners can see it.',
  },
  members: 'Members',
  count: (count: number) => counted(count, 'member'),
  none: 'No team that you can see',
  noneDetail: 'There may be secret teams here. An owner can add you to one.',
  tabs: {
    access: 'Organization access',
    places: 'Workspaces and projects',
    members: 'Members',
    tokens: 'API tokens',
    settings: 'Settings',
  },
  tabsLabel: 'Team',
  ownersFixed: 'Owners may do everything, and nothing of it can be taken away.',
  noChange: 'You can read this. Changing it is for owners, and for teams that manage organization access.',
  impliedBy: (by: string) => `Included in ${by}`,
  needs: (what: string) => `Needs ${what}`,
  unused: 'Kept for clients, not used here',
  changed: 'Changed',
  plain: 'In plain words',
  plainHead: (team: string) => `Members of ${team} can`,
  plainNothing: 'read what their team has been given by project and workspace, and nothing of the whole organization.',
  plainNot: 'They cannot see the audit or make the organization’s token: only owners can.',
  addMember: 'Add member…',
  addMemberSubmit: 'Add member',
  person: 'Person',
  removeEnds: 'They lose what this team gives them. They stay a member of the organization.',
  removeMemberSubmit: 'Remove member',
  removeMember: (name: string) => `Remove ${name}`,
  noMembers: 'Nobody is in this team yet',
  noPlaces: 'It reaches no workspace',
  place: { workspace: 'Workspace', project: 'Project', level: 'Access', through: 'Through' },
  via: {
    'organization-access': 'the organization',
    'project-access': 'the project',
    'workspace-access': 'the workspace',
    ownership: 'ownership',
  } as Record<string, string>,
  delete: 'Delete team…',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteEnds: (count: number) =>
    `${counted(count, 'person', 'people')} lose what this team gives them, and its API tokens stop working.`,
  deleteSubmit: 'Delete team',
  groups: {
    workspaces: 'Workspaces and projects',
    members: 'Members and teams',
    settings: 'Organization settings',
    policies: 'Policies and private registry',
  },
  allowTokens: 'Members may manage the team’s tokens',
  ssoId: 'Group at the identity provider',
  ssoHint: 'People that single sign-on names in this group become members.',
} as const;

/** The fourteen permissions of a team, in their groups, with what brings or needs what. */
export interface Permission {
  key: string;
  group: keyof typeof teams.groups;
  label: string;
  does: string;
  /** In the sentence "Members can …". */
  says?: string;
  impliedBy?: string;
  needs?: string;
  isUnused?: boolean;
}

export const permissions: readonly Permission[] = [
  {
    key: 'read-workspaces',
    group: 'workspaces',
    label: 'View all workspaces',
    does: 'See every workspace with its runs, variables and state.',
    says: 'see every workspace',
    impliedBy: 'manage-workspaces',
  },
  {
    key: 'manage-workspaces',
    group: 'workspaces',
    label: 'Manage all workspaces',
    does: 'Create, change, lock, run and delete every workspace.',
    says: 'do everything in all workspaces, except force delete them',
  },
  {
    key: 'read-projects',
    group: 'workspaces',
    label: 'View all projects',
    does: 'See every project.',
    says: 'see every project',
    impliedBy: 'manage-projects',
  },
  {
    key: 'manage-projects',
    group: 'workspaces',
    label: 'Manage all projects',
    does: 'Create, change and delete projects, and move workspaces between them.',
    says: 'create and delete projects, and move workspaces between them',
    needs: 'manage-workspaces',
  },
  {
    key: 'manage-membership',
    group: 'members',
    label: 'Manage membership',
    does: 'Invite people, and add members to the teams it can see. Never to owners.',
    says: 'invite people, and choose the members of the teams they see',
  },
  {
    key: 'manage-teams',
    group: 'members',
    label: 'Manage teams',
    does: 'Create, change and delete teams.',
    says: 'create and delete teams',
    needs: 'manage-membership',
  },
  {
    key: 'manage-organization-access',
    group: 'members',
    label: 'Manage organization access',
    does: 'Change what other teams may do.',
    says: 'change what other teams may do',
    needs: 'manage-teams',
  },
  {
    key: 'manage-vcs-settings',
    group: 'settings',
    label: 'Manage VCS settings',
    does: 'Connections to version control, and SSH keys.',
    says: 'manage connections to version control and SSH keys',
  },
  {
    key: 'manage-agent-pools',
    group: 'settings',
    label: 'Manage agent pools',
    does: 'Pools of agents, and the tokens that agents use.',
    says: 'manage agent pools',
  },
  {
    key: 'manage-run-tasks',
    group: 'settings',
    label: 'Manage run tasks',
    does: 'Run tasks of the organization.',
    says: 'manage run tasks',
  },
  {
    key: 'manage-policies',
    group: 'policies',
    label: 'Manage policies',
    does: 'Policies and policy sets.',
    isUnused: true,
  },
  {
    key: 'manage-policy-overrides',
    group: 'policies',
    label: 'Manage policy overrides',
    does: 'Override soft-mandatory policies.',
    isUnused: true,
  },
  {
    key: 'manage-modules',
    group: 'policies',
    label: 'Manage modules',
    does: 'Modules of the private registry.',
    isUnused: true,
  },
  {
    key: 'manage-providers',
    group: 'policies',
    label: 'Manage providers',
    does: 'Providers of the private registry.',
    isUnused: true,
  },
];
