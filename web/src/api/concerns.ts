/** Which of what has been read is another one after a change. */
import type { Query } from '@tanstack/react-query';
import type { Resource } from './client.ts';

type Change = Resource<'changes'>;

/** The first word of the keys under which a record of the type, or something of it, is kept. */
const keptUnder: Record<string, readonly string[]> = {
  workspaces: ['workspaces', 'runs', 'tags'],
  runs: ['runs', 'workspaces'],
  'state-versions': ['states', 'workspaces'],
  projects: ['projects', 'workspaces', 'notifications'],
  organizations: ['organizations', 'tags'],
  'organization-memberships': ['members', 'teams'],
  teams: ['teams', 'members'],
  'team-workspaces': ['team-workspaces', 'workspaces', 'explanations'],
  'team-projects': ['team-projects', 'projects', 'workspaces', 'explanations'],
  vars: ['variables'],
  // Whoever reads the variables of a workspace reads those of its sets with them.
  varsets: ['variable-sets', 'variables'],
  'configuration-versions': ['configurations'],
  'notification-configurations': ['notifications'],
  'run-triggers': ['run-triggers'],
  'workspace-tasks': ['run-tasks'],
  tasks: ['run-tasks'],
  agents: ['agent-pools'],
  'agent-pools': ['agent-pools'],
  'ssh-keys': ['ssh-keys'],
  'oauth-clients': ['connections'],
  'reserved-tag-keys': ['reserved-tags'],
};

/** Of these the second word is a workspace: they are kept for each apart. */
const ofWorkspace: readonly string[] = ['variables', 'configurations', 'notifications', 'run-triggers'];

/** Counts take longer than lists, and nobody reads them by the second. */
const counts_ms = 30_000;

export function concerns(
  { queryKey, state }: Pick<Query, 'queryKey' | 'state'>,
  { attributes, relationships }: Change,
  now_ms: number,
): boolean {
  const { 'resource-type': type, 'resource-id': id } = attributes;
  // What the caller may do has changed: everything may be another.
  if (type === 'users') return true;
  const [first, second, third, fourth] = queryKey as string[];
  if (!keptUnder[type]?.includes(first!)) return false;
  if (third === 'counts') return now_ms - state.dataUpdatedAt > counts_ms;
  const workspace = relationships.workspace.data?.id;
  if (!workspace) return true;
  if (first === 'workspaces' && third === 'one') return idOf(state.data) === workspace;
  if (ofWorkspace.includes(first!)) return second === workspace;
  if (first === 'run-tasks') return second === 'of-workspace' && third === workspace;
  if (first === 'runs' && second === 'of-configurations') return third === workspace;
  if (first === 'runs' && second === 'one') return type !== 'runs' || third === id;
  if (first === 'runs' && second === 'of-workspace') return third === workspace;
  if (first === 'runs' && third === 'last') return fourth === workspace;
  return true;
}

const idOf = (document: unknown) => (document as { data?: { id: string } } | undefined)?.data?.id;
