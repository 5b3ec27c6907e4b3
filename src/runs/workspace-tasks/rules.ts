/** At which points a task is asked. Pure. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { StageName } from '../queue/stages.ts';

interface Given {
  stage?: StageName;
  stages?: StageName[];
  'enforcement-level'?: 'advisory' | 'mandatory';
}

/** In the order that was given, which clients compare; undefined where the body is silent. `stages` prevails over `stage`. */
export function stagesFrom({ stage, stages }: Given): StageName[] | undefined {
  const wanted = stages ?? (stage && [stage]);
  return wanted && [...new Set(wanted)];
}

/** What was applied cannot be stopped any more: a task that is asked only then stops nothing. */
export function enforcementFaults(
  level: string | undefined,
  stages: readonly StageName[],
  place = 'enforcement-level',
): Fault[] {
  if (level !== 'mandatory' || stages.some(stage => stage !== 'post_apply')) return [];
  return [attributeFault(place, 'Enforcement level must be advisory for the stage post_apply')];
}
