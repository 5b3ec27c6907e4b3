/** What the form of a version text cannot say: pre-release names keep to the rules of semantic versions. Pure. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import { isExactVersion } from './constraint.ts';

export function versionFaults(version: string | undefined): Fault[] {
  if (version === undefined || isExactVersion(version)) return [];
  return [attributeFault('version', 'Version is not a semantic version, such as 1.5.7 or 1.14.0-rc1')];
}
