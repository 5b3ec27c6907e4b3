/** §5.4: what the level and details of a body make of an access record. Pure: values in, values and faults out. */
import {
  type ProjectAccess,
  type ProjectLevel,
  type ProjectWorkspaceAccess,
  projectAccessOf,
  projectPowersFrom,
  projectWorkspaceAccessOf,
  workspacePowersFromProject,
} from '../../access/project-levels.ts';
import { readOnlyFaults } from '../../access/team-access.ts';
import type { Fault } from '../../core/errors.ts';
import type { WriteOf } from '../../core/jsonapi/body.ts';
import type { row, Sql } from '../../core/store/store.ts';
import type { teamProjects } from './team-project.ts';

export type Given = WriteOf<(typeof teamProjects)['attributes']>;

export interface Settled {
  level: ProjectLevel;
  project: ProjectAccess;
  workspace: ProjectWorkspaceAccess;
  faults: Fault[];
}

/** Without a record before, custom access starts from the least; with one, from what that gives now. */
export function settleProjectAccess(
  given: Given,
  before: { access: ProjectLevel; project_access: ProjectAccess; workspace_access: ProjectWorkspaceAccess } | null,
): Settled {
  const level = given.access ?? before?.access ?? 'custom';
  const [project = {}, workspace = {}] = [given['project-access'], given['workspace-access']];
  if (level !== 'custom') {
    const faults = [
      ...readOnlyFaults(level, known(project, projectAccessOf.custom), 'project-access.'),
      ...readOnlyFaults(level, known(workspace, projectWorkspaceAccessOf.custom), 'workspace-access.'),
    ];
    return { level, project: projectAccessOf[level], workspace: projectWorkspaceAccessOf[level], faults };
  }
  return {
    level,
    project: { ...projectAccessOf.custom, ...before?.project_access, ...named(project, projectAccessOf.custom) },
    workspace: {
      ...projectWorkspaceAccessOf.custom,
      ...before?.workspace_access,
      ...named(workspace, projectWorkspaceAccessOf.custom),
    },
    faults: [],
  };
}

/** Keys that are not of the access are ignored, as unknown attributes are. */
function known(given: object, access: object): string[] {
  return Object.keys(given).filter(name => Object.hasOwn(access, name));
}

function named<Access extends object>(given: Partial<Access>, access: Access): Partial<Access> {
  const names = new Set(known(given, access));
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))) as Partial<Access>;
}

/** The columns of a record with this access, and the powers that it gives. */
export function accessColumns(sql: Sql, { level, project, workspace }: Settled): Parameters<typeof row>[1] {
  return {
    access: level,
    project_access: sql.json({ ...project }),
    workspace_access: sql.json({ ...workspace }),
    powers: projectPowersFrom(project, workspace),
    workspace_powers: workspacePowersFromProject(level, workspace),
  };
}
