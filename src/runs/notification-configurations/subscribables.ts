/** What can have notification configurations: where its own are listed and made, and who may do that. */
import { policy } from '../../access/policy.ts';
import type { Finder, Needs, Subject } from '../../core/jsonapi/records.ts';
import { teamById } from '../../people/teams/team.ts';
import { projectById } from '../../workspaces/projects/project.ts';
import { workspaceById } from '../../workspaces/workspaces/rows.ts';
import type { SubscribableType } from './triggers.ts';

export interface Subscribable<Found extends Subject<string> & { id: string; organization_id: string }> {
  type: SubscribableType;
  one: 'workspace' | 'project' | 'team';
  column: `${Subscribable<Found>['one']}_id`;
  path: `/${string}`;
  subject: Finder<Found>;
  needs: Needs<Found>;
}

export const ofWorkspaces = {
  type: 'workspaces',
  one: 'workspace',
  column: 'workspace_id',
  path: '/workspaces/:workspace_id/notification-configurations',
  subject: workspaceById,
  needs: policy['workspace:manage-notifications'],
} as const;

export const ofProjects = {
  type: 'projects',
  one: 'project',
  column: 'project_id',
  path: '/projects/:project_id/notification-configurations',
  subject: projectById,
  needs: policy['project:manage-notifications'],
} as const;

export const ofTeams = {
  type: 'teams',
  one: 'team',
  column: 'team_id',
  path: '/teams/:team_id/notification-configurations',
  subject: teamById,
  needs: policy['team:manage-notifications'],
} as const;
