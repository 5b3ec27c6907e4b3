/** The groups of statuses as buttons with counts. The counts come after the list and never hold it up. */
import { useQuery } from '@tanstack/react-query';
import { number } from '../texts/common.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { type ListAddress, tidy } from './address.ts';
import { statusCountsQuery } from './counts.ts';
import { type StatusGroup, StatusSign } from './status.tsx';

const shown = ['attention', 'errored', 'running', 'hold', 'applied'] as const satisfies readonly StatusGroup[];

interface Props {
  organization: string;
  address: ListAddress;
  projectId: string | null | undefined;
  /** The counts wait for it: the rows are what people look for. */
  isListRead: boolean;
  onChange: (next: ListAddress) => void;
}

export function StatusButtons({ organization, address, projectId, isListRead, onChange }: Props) {
  const chosen = address.status ?? [];
  const toggle = (group: StatusGroup) => {
    const status = chosen.includes(group) ? chosen.filter(other => other !== group) : [...chosen, group];
    onChange(tidy({ ...address, status, page: 1 }));
  };
  const { data: counts } = useQuery({
    ...statusCountsQuery(organization, address, projectId),
    enabled: isListRead,
  });
  return (
    <fieldset className="pills" aria-label={text.runStatus}>
      <button
        type="button"
        className="pill"
        aria-pressed={chosen.length === 0}
        onClick={() => onChange(tidy({ ...address, status: [], page: 1 }))}
      >
        {text.groups.all}
        {counts && <span className="count">{number(counts.total)}</span>}
      </button>
      {shown.map(group => (
        <button
          key={group}
          type="button"
          className="pill"
          data-group={group}
          aria-pressed={chosen.includes(group)}
          onClick={() => toggle(group)}
        >
          <StatusSign group={group} />
          {text.groups[group]}
          {counts && <span className="count">{number(counts.of(group))}</span>}
        </button>
      ))}
    </fieldset>
  );
}
