/** /~/admin/feature-sets: what organizations can be given, beside what every one has. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';
import { organizationsQuery } from '../organizations/organizations.ts';
import { administration } from '../texts/account.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { tell } from '../ui/tell.tsx';

type FeatureSet = Resource<'feature-sets'>;
const text = administration.sets;

export function FeatureSets() {
  const [given, setGiven] = useState<FeatureSet | null>(null);
  const query = useQuery({
    queryKey: ['admin', 'feature-sets'],
    queryFn: () =>
      everyPage(page => answer(api.GET('/admin/feature-sets', { params: { query: { 'page[number]': page } } }))),
  });
  return (
    <>
      <RecordList
        title={administration.pages['feature-sets']}
        query={query}
        none={{ title: text.none }}
        nameOf={({ attributes }) => attributes.name}
        columns={[
          { title: text.name, cell: ({ attributes }) => <span className="strong">{attributes.name}</span> },
          {
            title: text.adds,
            width: 'third',
            cell: ({ attributes: { entitlements } }) =>
              entitlements.length > 0 ? (
                <span className="mono">{entitlements.join(', ')}</span>
              ) : (
                <span className="muted">{text.nothing}</span>
              ),
          },
        ]}
        acts={set => [{ label: text.give, icon: 'enter', onClick: () => setGiven(set) }]}
      />
      {given && <Give set={given} onClose={() => setGiven(null)} />}
    </>
  );
}

interface Given {
  organization: string;
  'end-at': string | null;
}

function Give({ set: { id, attributes }, onClose }: { set: FeatureSet; onClose: () => void }) {
  const { data: organizations } = useQuery(organizationsQuery);
  const options = (organizations ?? []).map(({ attributes: { name } }) => ({ value: name, label: name }));
  const give = async ({ organization = '', 'end-at': end = null }: Given) => {
    await answer(
      api.POST('/admin/organizations/{organization_name}/subscription', {
        params: { path: { organization_name: organization.trim() } },
        body: {
          data: {
            type: 'subscriptions',
            attributes: { 'end-at': end },
            relationships: { 'feature-set': { data: { type: 'feature-sets', id } } },
          },
        },
      }),
    );
    tell(text.given(attributes.name, organization.trim()));
  };
  return (
    <CreateDialog
      title={text.giveTitle(attributes.name)}
      submit={text.giveSubmit}
      create={give}
      onClose={onClose}
      fields={[
        { key: 'organization', label: text.organization, hint: text.organizationHint, kind: 'text', options },
        { key: 'end-at', label: text.ends, hint: text.endsHint, kind: 'moment' },
      ]}
    />
  );
}
