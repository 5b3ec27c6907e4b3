/** …/settings/version-control: where configurations are fetched from. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { organizationQuery } from '../organizations/organizations.ts';
import { organization as text } from '../texts/organization.ts';
import { CreateDialog } from '../ui/create-dialog.tsx';
import { RecordList } from '../ui/record-list.tsx';
import { connectionsQuery } from './connections.ts';

const providers = {
  github: 'GitHub',
  github_enterprise: 'GitHub Enterprise',
  gitlab_hosted: 'GitLab',
  gitlab_community_edition: 'GitLab Community Edition',
  gitlab_enterprise_edition: 'GitLab Enterprise Edition',
  bitbucket_hosted: 'Bitbucket Cloud',
  bitbucket_data_center: 'Bitbucket Data Center',
  bitbucket_server: 'Bitbucket Server',
  ado_services: 'Azure DevOps Services',
  ado_server: 'Azure DevOps Server',
};

export function ConnectionSettings({ organization }: { organization: string }) {
  const [isOpen, setOpen] = useState(false);
  const query = useQuery({ ...connectionsQuery(organization), select: ({ data }) => data });
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update-oauth'] ?? false;
  const changed = () => cache.invalidateQueries({ queryKey: ['connections'] });
  return (
    <>
      <RecordList
        title={text.pages['version-control']}
        query={query}
        none={{ title: text.vcsNone, detail: text.vcsDetail }}
        add={mayChange && { label: text.vcsAdd, onClick: () => setOpen(true) }}
        columns={[
          {
            title: text.vcsName,
            cell: ({ attributes }) => (
              <span className="strong">{attributes.name ?? attributes['service-provider-display-name']}</span>
            ),
          },
          {
            title: text.vcsProvider,
            width: 'quarter',
            cell: ({ attributes }) => attributes['service-provider-display-name'],
          },
          {
            title: text.vcsHttp,
            cell: ({ attributes }) => <span className="mono muted">{attributes['http-url']}</span>,
          },
        ]}
        removal={
          mayChange && {
            label: ({ attributes }) => text.remove(attributes.name ?? attributes['http-url']),
            title: ({ attributes }) => text.removeTitle(attributes.name ?? attributes['http-url']),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: ({ id }) =>
              answer(
                api.DELETE('/oauth-clients/{oauth_client_id}', { params: { path: { oauth_client_id: id } } }),
              ).then(changed),
          }
        }
      />
      {isOpen && (
        <CreateDialog
          title={text.vcsSubmit}
          submit={text.vcsSubmit}
          onClose={() => setOpen(false)}
          initial={{
            'service-provider': 'github',
            'http-url': 'https://github.com',
            'api-url': 'https://api.github.com',
          }}
          fields={[
            { key: 'name', label: text.vcsName, kind: 'text', isNullable: true },
            {
              key: 'service-provider',
              label: text.vcsProvider,
              kind: 'choice',
              options: Object.entries(providers).map(([value, label]) => ({ value, label })),
            },
            { key: 'http-url', label: text.vcsHttp, kind: 'text', isMono: true },
            { key: 'api-url', label: text.vcsApi, kind: 'text', isMono: true },
            { key: 'oauth-token-string', label: text.vcsToken, hint: text.vcsTokenHint, kind: 'text', isMono: true },
          ]}
          create={(attributes: New<'oauth-clients'>) =>
            answer(
              api.POST('/organizations/{organization_name}/oauth-clients', {
                params: { path: { organization_name: organization } },
                body: documentOf('oauth-clients', attributes),
              }),
            ).then(changed)
          }
        />
      )}
    </>
  );
}
