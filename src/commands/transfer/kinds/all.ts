// Every kind but workspaces, in the order in which they can be made: each names only what stands above it.
import { agentPoolKind, oauthClientKind, sshKeyKind } from './connections.ts';
import type { Kind } from './kind.ts';
import { organizationKind, reservedTagKeyKind } from './organization.ts';
import { membershipKind, teamKind } from './people.ts';
import { projectKind, teamProjectKind } from './projects.ts';
import { projectNotificationKind, runTaskKind, teamNotificationKind } from './receivers.ts';
import { variableSetKind } from './variables.ts';

export const kinds: readonly Kind[] = [
  agentPoolKind,
  organizationKind,
  reservedTagKeyKind,
  projectKind,
  sshKeyKind,
  oauthClientKind,
  teamKind,
  membershipKind,
  teamProjectKind,
  variableSetKind,
  runTaskKind,
  projectNotificationKind,
  teamNotificationKind,
];

export const workspaceType = 'workspaces';

/** What organizations elsewhere may have and Terrane has not: counted, so that the report can say what stays behind. */
export const elsewhere = [
  { path: 'policy-sets', title: 'policy sets' },
  { path: 'policies', title: 'policies' },
  { path: 'registry-modules', title: 'modules of the private registry' },
  { path: 'registry-providers', title: 'providers of the private registry' },
] as const;
