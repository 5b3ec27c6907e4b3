/** /~/admin/general: what holds for the whole server. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf } from '../api/client.ts';
import { administration as text } from '../texts/account.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';

const generalQuery = {
  queryKey: ['admin', 'general'],
  queryFn: () => answer(api.GET('/admin/general-settings', {})),
};

async function save(attributes: Changed<'general-settings'>, meant: Meant): Promise<void> {
  await answer(api.PATCH('/admin/general-settings', { ...meant, body: documentOf('general-settings', attributes) }));
  await cache.invalidateQueries({ queryKey: ['admin', 'general'] });
}

export function General() {
  const query = useQuery(generalQuery);
  return (
    <Card title={text.pages.general}>
      <Loaded query={query}>
        {({ data: { attributes } }) => (
          <RecordForm
            values={attributes}
            read={() => readAgain(generalQuery)}
            save={save}
            mayChange
            whyNot=""
            fields={[{ key: 'limit-user-organization-creation', label: text.limit, kind: 'switch' }]}
          />
        )}
      </Loaded>
    </Card>
  );
}
