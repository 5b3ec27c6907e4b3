/** The flat tags of an organization: names without a value, who uses each, and a way to be rid of one. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cache } from '../api/cache.ts';
import { answer, api, type Resource } from '../api/client.ts';
import { at, paths } from '../paths.ts';
import { organization as text } from '../texts/organization.ts';
import { FindField } from '../ui/find-field.tsx';
import { useListAddress } from '../ui/list-address.ts';
import { Card } from '../ui/parts.tsx';
import { Rows } from '../ui/rows.tsx';
import { organizationQuery } from './organizations.ts';

type FlatTag = Resource<'tags'>;

const tagsQuery = (organization: string, q: string, page: number) => ({
  queryKey: ['tags', organization, q, page],
  placeholderData: keepPreviousData,
  queryFn: () =>
    answer(
      api.GET('/organizations/{organization_name}/tags', {
        params: { path: { organization_name: organization }, query: { q, 'page[number]': page, 'page[size]': 50 } },
      }),
    ),
});

export function FlatTags({ organization }: { organization: string }) {
  const address = useListAddress();
  const { data: found } = useQuery(organizationQuery(organization));
  const query = useQuery(tagsQuery(organization, address.q, address.page));
  const remove = async ({ id }: FlatTag) => {
    await answer(
      api.DELETE('/organizations/{organization_name}/tags', {
        params: { path: { organization_name: organization } },
        body: { data: [{ type: 'tags', id }] },
      }),
    );
    await Promise.all([
      cache.invalidateQueries({ queryKey: ['tags'] }),
      cache.invalidateQueries({ queryKey: ['workspaces'] }),
    ]);
  };
  return (
    <Card title={text.flat} action={<FindField label={text.flatFind} address={address} />} flush>
      <p className="card-row muted">{text.flatDetail}</p>
      <Rows
        caption={text.flatCaption(organization)}
        query={query}
        none={{ title: text.flatNone, detail: text.flatNoneDetail, onShowAll: address.onShowAll }}
        onPage={address.onPage}
        columns={[
          { title: text.flatName, cell: ({ attributes }) => <span className="tag">{attributes.name}</span> },
          {
            title: text.flatUsed,
            width: 'third',
            cell: ({ attributes: { name, 'instance-count': count } }) => (
              <Link className="link" {...at(paths.workspaces(organization), { tag: [name] })}>
                {text.flatWorkspaces(count)}
              </Link>
            ),
          },
        ]}
        nameOf={({ attributes }) => attributes.name}
        removal={
          found?.data.attributes.permissions['can-update'] && {
            label: ({ attributes }) => text.remove(attributes.name),
            title: ({ attributes }) => text.removeTitle(attributes.name),
            ends: <p>{text.flatRemoveEnds}</p>,
            submit: text.flatRemoveSubmit,
            remove,
          }
        }
      />
    </Card>
  );
}
