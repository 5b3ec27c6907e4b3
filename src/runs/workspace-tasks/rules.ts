/** At which points a task is asked. Pure. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import { type StageName, stageNames } from '../queue/stages.ts';

interface Given {
  stage?: StageName;
  stages?: StageName[];
  'enforcement-level'?: 'advisory' | 'mandatory';
}

/** In the order of a run's life; undefined where the body is silent. `stages` prevails over the older `stage`. */
export function stagesFrom({ stage, stages }: Given): StageName[] | undefined {
  const wanted = stages ?? (stage && [stage]);
  return wanted && stageNames.filter(name => wanted.includes(name));
}

/** What was applied cannot be stopped any more. */
export function enforcementFaults(level: string | undefined, stages: readonly StageName[]): Fault[] {
  if (level !== 'mandatory' || !stages.includes('post_apply')) return [];
  return [attributeFault('enforcement-level', 'Enforcement level must be advisory for the stage post_apply')];
}
