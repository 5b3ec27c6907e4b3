/** The table of contents: every endpoint in the contract's order, and every type that a document can carry. */
import type { AnyEndpoint } from './jsonapi/endpoint.ts';
import type { AnyResource } from './jsonapi/resource.ts';
import { createOrganization } from './organizations/create.ts';
import { organizations } from './organizations/organization.ts';
import { projects } from './projects/project.ts';
import { teamEndpoints } from './teams/endpoints.ts';
import { teams } from './teams/team.ts';
import { workspaceEndpoints } from './workspaces/endpoints.ts';
import { workspaces } from './workspaces/workspace.ts';

export const endpoints: readonly AnyEndpoint[] = [createOrganization, ...teamEndpoints, ...workspaceEndpoints];

export const resources: readonly AnyResource[] = [organizations, projects, teams, workspaces];
