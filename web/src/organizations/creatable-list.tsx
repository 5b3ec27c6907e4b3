/** A screen that lists what an organization has, page by page, and makes more of it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Pagination } from '../api/documents.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import type { Field } from '../ui/field.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { ListScreen } from '../ui/list-screen.tsx';
import type { RowsProps } from '../ui/rows.tsx';
import { type Organization, organizationQuery } from './organizations.ts';

interface Props<T, A extends object> {
  text: {
    title: string;
    caption: (organization: string) => string;
    find?: string;
    none: string;
    noneDetail: string;
    create: string;
    createSubmit: string;
  };
  queryKey: string;
  read: (organization: string, q: string, page: number) => Promise<{ data: T[]; meta?: { pagination?: Pagination } }>;
  columns: (organization: string) => RowsProps<T>['columns'];
  to: (organization: string, id: string) => string;
  /** What making one is called, the permission that it needs, and the act that the server explains. */
  needs: { act: string; permission: keyof Organization['attributes']['permissions']; action: string };
  fields: readonly Field<keyof A & string>[];
  initial?: Partial<A>;
  /** Returns its id. */
  create: (organization: string, attributes: A) => Promise<string>;
}

export function CreatableList<T extends { id: string }, A extends object>(props: Props<T, A>) {
  const { text, queryKey, read, columns, to, needs, fields, initial, create } = props;
  const { organization } = useParams({ strict: false }) as { organization: string };
  const address = useListAddress();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { data: found } = useQuery(organizationQuery(organization));
  const mayCreate = found?.data.attributes.permissions[needs.permission] ?? true;
  const query = useQuery({
    queryKey: [queryKey, organization, 'page', address.q, address.page],
    placeholderData: keepPreviousData,
    queryFn: () => read(organization, address.q, address.page),
  });
  return (
    <>
      <ListScreen
        title={text.title}
        caption={text.caption(organization)}
        {...(text.find && { find: text.find })}
        address={address}
        expected={10}
        query={query}
        none={{ title: text.none, detail: text.noneDetail }}
        href={({ id }) => to(organization, id)}
        add={{
          label: text.create,
          allowed: mayCreate,
          missing: {
            act: needs.act,
            permission: needs.permission,
            organization,
            wish: { type: 'organizations', id: organization, action: needs.action },
          },
          onClick: () => setOpen(true),
        }}
        columns={columns(organization)}
      />
      {isOpen && mayCreate && (
        <CreateDialog<A>
          title={text.create}
          submit={text.createSubmit}
          {...(initial && { initial })}
          fields={fields}
          create={async attributes => {
            await navigate({ to: to(organization, await create(organization, attributes)) });
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
