/** SSH keys, as the API tells of them: their names, never the keys. */
import { queryOptions } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { everyPage } from '../api/documents.ts';

export type SshKeyRecord = Resource<'ssh-keys'>;

export const sshKeysQuery = (organization: string) =>
  queryOptions({
    queryKey: ['ssh-keys', organization],
    staleTime: 30_000,
    queryFn: () =>
      everyPage(page =>
        answer(
          api.GET('/organizations/{organization_name}/ssh-keys', {
            params: {
              path: { organization_name: organization },
              query: { 'page[number]': page, 'page[size]': 100 } as object,
            },
          }),
        ),
      ),
  });
