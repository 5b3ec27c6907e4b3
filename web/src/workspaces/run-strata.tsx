/** The last runs as strata: one bar each, as high as it took; failures have a cross. A table says the same to readers. */
import { groupOf, statusWord } from './status.tsx';
import type { Run } from './workspace.ts';

const width = 286;
const height = 44;

export function RunStrata({ runs }: { runs: readonly Pick<Run, 'id' | 'attributes'>[] }) {
  const inOrder = [...runs].reverse();
  const step = width / Math.max(inOrder.length, 12);
  const longest = Math.max(...inOrder.map(seconds), 1);
  return (
    <>
      <svg className="strata" viewBox={`0 0 ${width} 52`} width="100%" aria-hidden="true">
        {inOrder.map((run, index) => {
          const group = groupOf(run.attributes.status);
          // By the root, so that one long run does not make all others flat.
          const tall = 8 + (height - 8) * Math.sqrt(seconds(run) / longest);
          const x = index * step;
          return (
            <g key={run.id} data-group={group}>
              <rect
                x={x}
                y={height - tall}
                width={step * 0.7}
                height={tall}
                rx="1.5"
                fill="var(--status-colour)"
                opacity={group === 'errored' ? 1 : group === 'quiet' ? 0.35 : 0.6}
              />
              {group === 'errored' && (
                <path d={`M${x + 1} 47l4 4m0-4l-4 4`} stroke="var(--status-colour)" strokeWidth="1.3" />
              )}
            </g>
          );
        })}
      </svg>
      {/* Round the table, which by itself is as wide as its words, however it is cut. */}
      <div className="hidden-text">
        <table>
          <tbody>
            {inOrder.map(run => (
              <tr key={run.id}>
                <td>{run.id}</td>
                <td>{statusWord(run.attributes.status)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** From its making to the last time that is known of it. */
function seconds({ attributes }: Pick<Run, 'attributes'>): number {
  const stamps = Object.values(attributes['status-timestamps'] as Record<string, string | null>).flatMap(stamp =>
    stamp ? [Date.parse(stamp)] : [],
  );
  const end_ms = Math.max(...stamps, Date.parse(attributes['created-at']));
  return (end_ms - Date.parse(attributes['created-at'])) / 1000;
}
