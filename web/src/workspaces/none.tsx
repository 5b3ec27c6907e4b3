/** Three kinds of empty: none yet, none that matches, none that the caller may see. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { organizationQuery } from '../organizations/organizations.ts';
import { paths } from '../paths.ts';
import { number } from '../texts/common.ts';
import { newWorkspace } from '../texts/workspace.ts';
import { workspaces as text } from '../texts/workspaces.ts';
import { Empty } from '../ui/parts.tsx';
import { chipsOf, type ListAddress, tidy, withoutChip } from './address.ts';
import { CommandLine } from './command-line.tsx';
import { statusCountsQuery } from './counts.ts';

interface Props {
  organization: string;
  address: ListAddress;
  projectId: string | null | undefined;
  onChange: (next: ListAddress) => void;
}

export function NoWorkspaces(props: Props) {
  const { organization, address } = props;
  const { data } = useQuery(organizationQuery(organization));
  const isFiltered = chipsOf(address).length > 0 || address.q || address.status;
  if (isFiltered) return <NoMatch {...props} />;
  if (data && !data.data.attributes.permissions['can-create-workspace'])
    return (
      <Empty title={text.empty.forbidden}>
        <p>{text.empty.forbiddenDetail(organization)}</p>
      </Empty>
    );
  return (
    <Empty
      title={text.empty.title}
      action={
        <Button component={Link} {...({ to: paths.newWorkspace(organization) } as object)} variant="filled">
          {text.create}
        </Button>
      }
    >
      <p>{text.empty.detail}</p>
      <p>{text.empty.command}</p>
      <CommandLine organization={organization} name={newWorkspace.first} />
    </Empty>
  );
}

/** Each filter with the count that dropping it would give. */
function NoMatch({ organization, address, projectId, onChange }: Props) {
  const ways: [string, ListAddress][] = chipsOf(address).map(chip => [
    `${chip.key}: ${chip.value}`,
    withoutChip(address, chip),
  ]);
  if (address.q) ways.push([`“${address.q}”`, tidy({ ...address, q: '' })]);
  if (address.status) ways.push([text.runStatus.toLowerCase(), tidy({ ...address, status: [] })]);
  return (
    <Empty title={text.empty.noMatch}>
      <ul className="steps">
        {ways.map(([words, next]) => (
          <Way
            key={words}
            words={words}
            next={next}
            organization={organization}
            projectId={next.project ? projectId : null}
            onChange={onChange}
          />
        ))}
      </ul>
    </Empty>
  );
}

interface WayProps {
  words: string;
  next: ListAddress;
  organization: string;
  projectId: string | null | undefined;
  onChange: Props['onChange'];
}

function Way({ words, next, organization, projectId, onChange }: WayProps) {
  const { data: counts } = useQuery(statusCountsQuery(organization, next, projectId));
  const count = next.status?.reduce((sum, group) => sum + (counts?.of(group) ?? 0), 0) ?? counts?.total;
  return (
    <li>
      <button type="button" className="link" onClick={() => onChange(next)}>
        {text.empty.without(words)}
      </button>
      <span>{counts && number(count ?? 0)}</span>
    </li>
  );
}
