/** One workspace out of thousands: the server is asked as somebody types. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../api/client.ts';

interface Props {
  organization: string;
  label: string;
  value: string | null;
  onChange: (id: string | null, name: string) => void;
  /** Ids that cannot be chosen. */
  except?: readonly string[];
}

const options = 20;

export function WorkspaceChoice({ organization, label, value, onChange, except = [] }: Props) {
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, 250);
  const { data } = useQuery({
    queryKey: ['workspaces', organization, 'choice', asked],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/workspaces', {
          params: {
            path: { organization_name: organization },
            query: { 'search[name]': asked, 'page[size]': options, sort: 'name' },
          },
        }),
      ),
  });
  const found = (data?.data ?? []).filter(({ id }) => !except.includes(id));
  return (
    <Select
      label={label}
      searchable
      data-autofocus
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched already.
      filter={({ options: all }) => all}
      data={found.map(({ id, attributes }) => ({ value: id, label: attributes.name }))}
      value={value}
      onChange={(id, option) => onChange(id, option?.label ?? '')}
    />
  );
}
