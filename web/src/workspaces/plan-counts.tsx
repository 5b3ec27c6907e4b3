/** What a plan would add, change and destroy, as signs, numbers and words. */
import type { Resource } from '../api/client.ts';
import { number } from '../texts/common.ts';

const signs = [
  ['resource-additions', 'add', '+', 'to add'],
  ['resource-changes', 'change', '~', 'to change'],
  ['resource-destructions', 'remove', '−', 'to destroy'],
  ['resource-imports', 'read', '←', 'to import'],
] as const;

export function PlanCounts({ plan }: { plan: Pick<Resource<'plans'>, 'attributes'> }) {
  const known = signs.filter(
    ([key]) => plan.attributes[key] !== null && (key !== 'resource-imports' || plan.attributes[key]),
  );
  if (known.length === 0) return null;
  return (
    <p className="line wrap">
      {known.map(([key, change, sign, word]) => (
        <span key={key} className="line">
          <span className="sign" data-change={change} aria-hidden="true">
            {sign}
          </span>
          {number(plan.attributes[key] ?? 0)} {word}
        </span>
      ))}
    </p>
  );
}
