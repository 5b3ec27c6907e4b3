/** …/settings/audit: whether the trail that collectors poll has the events of the organization. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf } from '../api/client.ts';
import { organization as text } from '../texts/organization.ts';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readingOf } from '../ui/saving.tsx';
import { Time } from '../ui/time.tsx';

interface Given {
  enabled?: boolean;
}

export function AuditConfiguration({ organization }: { organization: string }) {
  const at = { params: { path: { organization_name: organization } } };
  const read = () => answer(api.GET('/organizations/{organization_name}/audit-configuration', at));
  const query = useQuery({ queryKey: ['organizations', organization, 'audit-configuration'], queryFn: read });
  const save = async ({ enabled }: Given, meant: Meant) => {
    if (enabled === undefined) return;
    await answer(
      api.PATCH('/organizations/{organization_name}/audit-configuration', {
        ...at,
        ...meant,
        body: documentOf('audit-configurations', { 'audit-trails': { enabled } }),
      }),
    );
    await cache.invalidateQueries({ queryKey: ['organizations'] });
  };
  return (
    <Card title={text.pages.audit}>
      <Loaded query={query} skeleton={<Skeleton rows={2} />}>
        {({ data: { attributes } }) => (
          <>
            <RecordForm<Given>
              fields={[{ key: 'enabled', label: text.trail, hint: text.trailHint, kind: 'switch' }]}
              values={attributes['audit-trails']}
              read={async () => readingOf(await read(), ({ data }) => data.attributes['audit-trails'])}
              save={save}
              mayChange
              whyNot=""
            />
            <Since of={attributes.timestamps} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Since({ of }: { of: Record<string, string | null> }) {
  const [on, off] = [of['audit-trails-enabled-at'], of['audit-trails-disabled-at']];
  return (
    <Facts facts={[on ? [text.trailOn, <Time key="on" at={on} />] : [text.trailOff, <Time key="off" at={off} />]]} />
  );
}
