/** …/settings/tokens: how long tokens of each kind may live. */
import { useQuery } from '@tanstack/react-query';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { organization as text } from '../texts/organization.ts';
import type { Field } from '../ui/field.tsx';
import { Loaded, Skeleton } from '../ui/loaded.tsx';
import { Card } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { type Meant, readingOf } from '../ui/saving.tsx';
import { organizationQuery } from './organizations.ts';

const kinds = ['organization', 'team', 'user', 'audit_trails'] as const;
type Kind = (typeof kinds)[number];
type Lives = Partial<Record<Kind, number | null>> & { 'max-ttl-enabled'?: boolean };

const day_ms = 86_400_000;
/** As many digits as a second needs. */
const asDays = (life_ms: number) => Number((life_ms / day_ms).toFixed(5));

const fields: Field<keyof Lives>[] = [
  { key: 'max-ttl-enabled', label: text.livesOn, hint: text.livesOnHint, kind: 'switch' },
  ...kinds.map(kind => ({
    key: kind,
    label: text.livesDays[kind],
    hint: (days: unknown) => text.livesYears(Number(days)),
    kind: 'number' as const,
  })),
];

export function TokenLives({ organization }: { organization: string }) {
  const at = { params: { path: { organization_name: organization } } };
  const { data: found } = useQuery(organizationQuery(organization));
  const mayChange = found?.data.attributes.permissions['can-update'] ?? false;
  const read = async () => {
    const [policies, whole] = await Promise.all([
      answer(api.GET('/organizations/{organization_name}/token-ttl-policies', at)),
      answer(api.GET('/organizations/{organization_name}', at)),
    ]);
    const days = policies.data.map(({ attributes: one }) => [one['token-type'], asDays(one['max-ttl-ms'])]);
    const isOn = whole.data.attributes['max-ttl-enabled'];
    return readingOf(whole, () => ({ 'max-ttl-enabled': isOn, ...Object.fromEntries(days) }));
  };
  const query = useQuery({ queryKey: ['organizations', organization, 'token-lives'], queryFn: read });
  const save = async ({ 'max-ttl-enabled': isOn, ...lives }: Lives, meant: Meant) => {
    const given = Object.entries(lives) as [Kind, number | null][];
    if (given.length > 0) await setLives(organization, given);
    if (isOn !== undefined)
      await answer(
        api.PATCH('/organizations/{organization_name}', {
          ...at,
          ...meant,
          body: documentOf('organizations', { 'max-ttl-enabled': isOn }),
        }),
      );
    await cache.invalidateQueries({ queryKey: ['organizations'] });
  };
  // Whoever may not manage the tokens is not told of their lives.
  if (query.error instanceof ApiFailure && query.error.status === 404) return null;
  return (
    <Card title={text.lives}>
      <div className="stack">
        <p className="muted">{text.livesDetail}</p>
        <Loaded query={query} skeleton={<Skeleton rows={5} />}>
          {({ values }) => (
            <RecordForm<Lives>
              fields={fields}
              values={values}
              read={read}
              save={save}
              mayChange={mayChange}
              whyNot={text.whyNot}
            />
          )}
        </Loaded>
      </div>
    </Card>
  );
}

/** A refusal names a policy by its place in the request: it is put at the field of its kind. */
async function setLives(organization: string, given: readonly [Kind, number | null][]): Promise<void> {
  const policies = given.map(([kind, days]) => ({
    'token-type': kind,
    'max-ttl-ms': Math.round((days ?? 0) * day_ms),
  }));
  try {
    await answer(
      api.PATCH('/organizations/{organization_name}/token-ttl-policies', {
        params: { path: { organization_name: organization } },
        body: documentOf('organization-token-ttl-policies', { 'token-ttl-policies': policies }),
      }),
    );
  } catch (caught) {
    if (!(caught instanceof ApiFailure)) throw caught;
    const errors = caught.errors.map(error => {
      const [, place] = /token-ttl-policies\/(\d+)/.exec(error.source?.pointer ?? '') ?? [];
      const kind = place && given[Number(place)]?.[0];
      return kind ? { ...error, source: { pointer: `/data/attributes/${kind}` } } : error;
    });
    throw new ApiFailure(caught.status, errors, caught.requestId, caught.retryAfter);
  }
}
