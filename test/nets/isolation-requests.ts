/** Requests from within one organization that name what belongs to another, in bodies and in queries. */
import { bodyOf, randomName } from '../builders/records.ts';
import type { Names } from '../cast/furnished.ts';

const related = (type: string, id: string) => ({ data: { type, id } });
const list = (type: string, id: string) => ({ data: [{ type, id }] });
const renewed = () => randomName('new');

/** What acme's owner sends: our own address, their names in the body. */
export const bodies: Record<string, (theirs: Names, ours: Names) => [string, string, unknown]> = {
  'a workspace in their project': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/workspaces`,
    bodyOf('workspaces', { name: renewed() }, { project: related('projects', theirs.project_id) }),
  ],
  'a workspace with their agent pool': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/workspaces`,
    bodyOf('workspaces', { name: renewed(), 'execution-mode': 'agent', 'agent-pool-id': theirs.agent_pool_id }),
  ],
  'moving a workspace to their project': (theirs, { workspace_id }) => [
    'PATCH',
    `workspaces/${workspace_id}`,
    bodyOf('workspaces', {}, { project: related('projects', theirs.project_id) }),
  ],
  'giving a workspace their agent pool': (theirs, { workspace_id }) => [
    'PATCH',
    `workspaces/${workspace_id}`,
    bodyOf('workspaces', { 'execution-mode': 'agent', 'agent-pool-id': theirs.agent_pool_id }),
  ],
  'giving a workspace their SSH key': (theirs, { workspace_id }) => [
    'PATCH',
    `workspaces/${workspace_id}/relationships/ssh-key`,
    bodyOf('workspaces', { id: theirs.ssh_key_id }),
  ],
  'adding their tag to a workspace': (theirs, { workspace_id }) => [
    'POST',
    `workspaces/${workspace_id}/relationships/tags`,
    list('tags', theirs.tag_id),
  ],
  'removing their tag from a workspace': (theirs, { workspace_id }) => [
    'DELETE',
    `workspaces/${workspace_id}/relationships/tags`,
    list('tags', theirs.tag_id),
  ],
  'deleting their tag': (theirs, { organization_name }) => [
    'DELETE',
    `organizations/${organization_name}/tags`,
    list('tags', theirs.tag_id),
  ],
  'putting our tag on their workspace': (theirs, { tag_id }) => [
    'POST',
    `tags/${tag_id}/relationships/workspaces`,
    list('workspaces', theirs.workspace_id),
  ],
  ...Object.fromEntries(
    ['POST', 'PATCH', 'DELETE'].map(method => [
      `${method} of their workspace as a remote state consumer`,
      (theirs: Names, { workspace_id }: Names) => [
        method,
        `workspaces/${workspace_id}/relationships/remote-state-consumers`,
        list('workspaces', theirs.workspace_id),
      ],
    ]),
  ),
  'beginning runs after those of their workspace': (theirs, { workspace_id }) => [
    'POST',
    `workspaces/${workspace_id}/run-triggers`,
    bodyOf('run-triggers', {}, { sourceable: related('workspaces', theirs.workspace_id) }),
  ],
  'showing our runs to their run task': (theirs, { workspace_id }) => [
    'POST',
    `workspaces/${workspace_id}/tasks`,
    bodyOf('workspace-tasks', { 'enforcement-level': 'advisory' }, { task: related('tasks', theirs.task_id) }),
  ],
  'moving their workspace to our project': (theirs, { project_id }) => [
    'POST',
    `projects/${project_id}/relationships/workspaces`,
    list('workspaces', theirs.workspace_id),
  ],
  ...Object.fromEntries(
    (['workspace', 'project'] as const).flatMap(kind => [
      [
        `applying our variable set to their ${kind}`,
        (theirs: Names, { variable_set_id }: Names) => [
          'POST',
          `varsets/${variable_set_id}/relationships/${kind}s`,
          list(`${kind}s`, theirs[`${kind}_id`]),
        ],
      ],
      [
        `making our variable set one for their ${kind}`,
        (theirs: Names, { variable_set_id }: Names) => [
          'PATCH',
          `varsets/${variable_set_id}`,
          bodyOf('varsets', {}, { [`${kind}s`]: list(`${kind}s`, theirs[`${kind}_id`]) }),
        ],
      ],
    ]),
  ),
  'a variable set of their project': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/varsets`,
    bodyOf('varsets', { name: renewed() }, { parent: related('projects', theirs.project_id) }),
  ],
  'a variable set of their organization': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/varsets`,
    bodyOf('varsets', { name: renewed() }, { parent: related('organizations', theirs.organization_name) }),
  ],
  'a project with their agent pool': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/projects`,
    bodyOf('projects', {
      name: renewed(),
      'default-execution-mode': 'agent',
      'default-agent-pool-id': theirs.agent_pool_id,
    }),
  ],
  'giving a project their agent pool': (theirs, { project_id }) => [
    'PATCH',
    `projects/${project_id}`,
    bodyOf(
      'projects',
      { 'default-execution-mode': 'agent' },
      { 'default-agent-pool': related('agent-pools', theirs.agent_pool_id) },
    ),
  ],
  'giving our organization their agent pool': (theirs, { organization_name }) => [
    'PATCH',
    `organizations/${organization_name}`,
    bodyOf('organizations', { 'default-execution-mode': 'agent', 'default-agent-pool-id': theirs.agent_pool_id }),
  ],
  'giving our organization their agent pool, as a relationship': (theirs, { organization_name }) => [
    'PATCH',
    `organizations/${organization_name}`,
    bodyOf(
      'organizations',
      { 'default-execution-mode': 'agent' },
      { 'default-agent-pool': related('agent-pools', theirs.agent_pool_id) },
    ),
  ],
  'giving their team our workspace': (theirs, { workspace_id }) => [
    'POST',
    'team-workspaces',
    bodyOf(
      'team-workspaces',
      { access: 'read' },
      { team: related('teams', theirs.team_id), workspace: related('workspaces', workspace_id) },
    ),
  ],
  'giving our team their workspace': (theirs, { team_id }) => [
    'POST',
    'team-workspaces',
    bodyOf(
      'team-workspaces',
      { access: 'read' },
      { team: related('teams', team_id), workspace: related('workspaces', theirs.workspace_id) },
    ),
  ],
  'giving their team our project': (theirs, { project_id }) => [
    'POST',
    'team-projects',
    bodyOf(
      'team-projects',
      { access: 'read' },
      { team: related('teams', theirs.team_id), project: related('projects', project_id) },
    ),
  ],
  'giving our team their project': (theirs, { team_id }) => [
    'POST',
    'team-projects',
    bodyOf(
      'team-projects',
      { access: 'read' },
      { team: related('teams', team_id), project: related('projects', theirs.project_id) },
    ),
  ],
  ...Object.fromEntries(
    ['POST', 'DELETE'].flatMap(method =>
      (['user_id', 'username'] as const).map(name => [
        `${method} of their member on our team by ${name}`,
        (theirs: Names, { team_id }: Names) => [
          method,
          `teams/${team_id}/relationships/users`,
          list('users', theirs[name]),
        ],
      ]),
    ),
  ),
  ...Object.fromEntries(
    ['POST', 'DELETE'].map(method => [
      `${method} of their membership on our team`,
      (theirs: Names, { team_id }: Names) => [
        method,
        `teams/${team_id}/relationships/organization-memberships`,
        list('organization-memberships', theirs.organization_membership_id),
      ],
    ]),
  ),
  'inviting someone to their team': (theirs, { organization_name }) => [
    'POST',
    `organizations/${organization_name}/organization-memberships`,
    bodyOf('organization-memberships', { email: 'new@example.com' }, { teams: list('teams', theirs.team_id) }),
  ],
};

/** Lists of our own, asked for what is theirs. */
export const queries: Record<string, (theirs: Names, ours: Names) => [string, Record<string, string>]> = {
  organizations: theirs => ['organizations', { q: theirs.organization_name }],
  'workspaces by project': theirs => ['workspaces', { 'filter[project][id]': theirs.project_id }],
  'workspaces by name': theirs => ['workspaces', { 'search[name]': theirs.workspace_name }],
  'workspaces by pattern': theirs => ['workspaces', { 'search[wildcard-name]': `${theirs.workspace_name}*` }],
  'workspaces by tag': theirs => ['workspaces', { 'search[tags]': theirs.tag_name }],
  'workspaces without a tag': theirs => ['workspaces', { 'search[exclude-tags]': theirs.tag_name }],
  'workspaces by binding': theirs => ['workspaces', { 'filter[tagged][0][key]': theirs.binding_key }],
  'workspaces with all that can be included': () => ['workspaces', { include: 'project,organization,locked_by' }],
  'teams by part of a name': theirs => ['teams', { q: theirs.team_name }],
  'teams by name': theirs => ['teams', { 'filter[names]': theirs.team_name }],
  'memberships by name': theirs => ['organization-memberships', { q: theirs.username }],
  'memberships by e-mail address': theirs => ['organization-memberships', { 'filter[email]': theirs.email }],
  'projects by part of a name': theirs => ['projects', { q: theirs.project_name }],
  'projects by name': theirs => ['projects', { 'filter[names]': theirs.project_name }],
  'projects by binding': theirs => ['projects', { 'filter[tagged][0][key]': theirs.binding_key }],
  'tags by name': theirs => ['tags', { q: theirs.tag_name }],
  'tags but those of a workspace': theirs => ['tags', { 'filter[exclude][taggable][id]': theirs.workspace_id }],
  'variable sets by name': theirs => ['varsets', { q: theirs.variable_set_name }],
  'agent pools by workspace': theirs => ['agent-pools', { 'filter[allowed_workspaces][name]': theirs.workspace_name }],
  'agent pools by project': theirs => ['agent-pools', { 'filter[allowed_projects][name]': theirs.project_name }],
  'tokens of teams by name': theirs => ['team-tokens', { q: theirs.team_name }],
  'access to a workspace': theirs => ['/team-workspaces', { 'filter[workspace][id]': theirs.workspace_id }],
  'access of a team to our workspace': (theirs, { workspace_id }) => [
    '/team-workspaces',
    { 'filter[workspace][id]': workspace_id, 'filter[team][id]': theirs.team_id },
  ],
  'access to a project': theirs => ['/team-projects', { 'filter[project][id]': theirs.project_id }],
  'access of a team to our project': (theirs, { project_id }) => [
    '/team-projects',
    { 'filter[project][id]': project_id, 'filter[team][id]': theirs.team_id },
  ],
};
