/** §5.4: what the level and details of a body make of an access record. Pure: values in, values and faults out. */
import { readOnlyFaults } from '../../access/team-access.ts';
import { type WorkspaceAccess, type WorkspaceLevel, workspaceAccessOf } from '../../access/workspace-levels.ts';
import type { Fault } from '../../core/errors.ts';

type Level = WorkspaceLevel | 'custom';
export type Given = Partial<WorkspaceAccess> & { access?: Level };

/** Without a record before, custom access starts from the least; with one, from what that gives now. */
export function settleWorkspaceAccess(
  { access, ...details }: Given,
  before: { access: Level; details: WorkspaceAccess } | null,
): { level: Level; details: WorkspaceAccess; faults: Fault[] } {
  const level = access ?? before?.access ?? 'custom';
  const given = Object.keys(details).filter(name => details[name as keyof WorkspaceAccess] !== undefined);
  if (level !== 'custom') return { level, details: workspaceAccessOf[level], faults: readOnlyFaults(level, given) };
  return { level, details: { ...(before?.details ?? workspaceAccessOf.custom), ...details }, faults: [] };
}
