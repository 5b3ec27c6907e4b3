/** /~/settings/<page>: what is one's own. */

import { Button, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api, type Changed, documentOf, type Resource } from '../api/client.ts';
import { Keys } from '../frame/key-list.tsx';
import { paths } from '../paths.ts';
import { accountQuery, useAccount } from '../session/account.ts';
import { account as text } from '../texts/account.ts';
import { frame } from '../texts/frame.ts';
import { tokens } from '../texts/people.ts';
import { type GivenToken, TokenList } from '../tokens/token-list.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Card, PageHead } from '../ui/parts.tsx';
import { RecordForm } from '../ui/record-form.tsx';
import { RecordList } from '../ui/record-list.tsx';
import type { Column } from '../ui/rows.tsx';
import { type Meant, readAgain } from '../ui/saving.tsx';
import { SettingsFrame, SettingsPage } from '../ui/settings-frame.tsx';
import { tellFailure } from '../ui/tell.tsx';
import { setExactTimes, Time, timesAreExact } from '../ui/time.tsx';
import { browserOf } from './browser-name.ts';
import { Memberships } from './memberships.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { TerraformLogin } from './terraform-login.tsx';

type Page = keyof typeof text.pages;

export function AccountSettings() {
  return (
    <>
      <PageHead title={text.title} />
      <SettingsFrame label={text.title} pages={text.pages} to={paths.account} />
    </>
  );
}

const pages: Record<Page, ComponentType> = {
  profile: Profile,
  organizations: Memberships,
  'second-factor': SecondFactor,
  tokens: Tokens,
  sessions: Sessions,
  appearance: Appearance,
  keyboard: Keyboard,
};

export function AccountPage() {
  const { page } = useParams({ strict: false }) as { page: Page };
  return <SettingsPage pages={pages} page={page} given={{}} />;
}

function Profile() {
  const query = useAccount();
  const save = async (attributes: Changed<'users'>, meant: Meant) => {
    await answer(api.PATCH('/account/update', { ...meant, body: documentOf('users', attributes) }));
    await cache.invalidateQueries({ queryKey: ['account'] });
  };
  return (
    <>
      <Card title={text.pages.profile}>
        <Loaded query={query}>
          {({ data: { attributes } }) => (
            <RecordForm
              values={attributes}
              read={() => readAgain(accountQuery)}
              save={save}
              mayChange
              whyNot=""
              fields={[
                { key: 'username', label: text.username, kind: 'text' },
                { key: 'email', label: text.email, kind: 'text' },
              ]}
            />
          )}
        </Loaded>
      </Card>
      <Card title={text.password}>
        <PasswordForm />
      </Card>
    </>
  );
}

function Tokens() {
  const { data } = useAccount();
  if (!data) return null;
  const at = { params: { path: { user_id: data.data.id } } };
  const create = async (attributes: GivenToken) =>
    (
      await answer(
        api.POST('/users/{user_id}/authentication-tokens', {
          ...at,
          body: documentOf('authentication-tokens', attributes),
        }),
      )
    ).data;
  return (
    <>
      <TerraformLogin who={data.data.attributes.username ?? ''} create={create} />
      <TokenList
        title={tokens.own}
        detail={tokens.ownDetail}
        queryKey={['own']}
        read={async () => (await answer(api.GET('/users/{user_id}/authentication-tokens', at))).data}
        create={create}
      />
    </>
  );
}

type Session = Resource<'sessions'>;

const sessionsChanged = () => cache.invalidateQueries({ queryKey: ['sessions'] });

const sessionColumns: Column<Session>[] = [
  {
    title: text.browser,
    cell: ({ attributes }) => (
      <span className="line wrap">
        <span className="strong anywhere" title={attributes['user-agent'] ?? ''}>
          {browserOf(attributes['user-agent'] ?? '')}
        </span>
        {attributes['is-current'] && (
          <span className="badge" data-group="applied">
            {text.current}
          </span>
        )}
      </span>
    ),
  },
  {
    title: text.address,
    width: 'eighth',
    cell: ({ attributes }) => <span className="muted">{attributes['remote-address']}</span>,
  },
  {
    title: text.lastUsed,
    width: 'eighth',
    cell: ({ attributes }) => <Time at={attributes['last-used-at']} />,
  },
  { title: text.ends, width: 'eighth', isExtra: true, cell: ({ attributes }) => <Time at={attributes['ends-at']} /> },
];

function Sessions() {
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: async () => (await answer(api.GET('/account/sessions', {}))).data,
  });
  const others = (query.data ?? []).filter(({ attributes }) => !attributes['is-current']);
  return (
    <>
      <RecordList
        title={text.pages.sessions}
        query={query}
        none={{ title: text.sessionsNone }}
        columns={sessionColumns}
        removal={{
          may: ({ attributes }) => !attributes['is-current'],
          label: ({ attributes }) => text.end(attributes['remote-address'] ?? ''),
          title: () => text.endTitle,
          ends: <p>{text.endDetail}</p>,
          submit: text.endSubmit,
          remove: ({ id }) =>
            answer(api.DELETE('/sessions/{session_id}', { params: { path: { session_id: id } } })).then(
              sessionsChanged,
            ),
        }}
      />
      {others.length > 0 && (
        <div>
          <Button
            variant="default"
            onClick={() => void answer(api.DELETE('/account/sessions', {})).then(sessionsChanged, tellFailure)}
          >
            {text.endOthers}
          </Button>
        </div>
      )}
    </>
  );
}

const densityKey = 'terrane.density';

function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, setDensity] = useState(localStorage.getItem(densityKey) ?? 'comfortable');
  const [isExact, setExact] = useState(timesAreExact);
  const choose = (value: string) => {
    localStorage.setItem(densityKey, value);
    document.documentElement.dataset['density'] = value;
    setDensity(value);
  };
  const choices = (
    name: string,
    values: (readonly [string, string])[],
    chosen: string,
    onChoose: (value: string) => void,
  ) => (
    <div role="radiogroup" aria-label={name}>
      {values.map(([value, label]) => (
        <label key={value} className="choice">
          <input type="radio" name={name} checked={chosen === value} onChange={() => onChoose(value)} />
          {label}
        </label>
      ))}
    </div>
  );
  return (
    <>
      <Card title={frame.theme} flush>
        {choices(
          frame.theme,
          [
            ['auto', frame.system],
            ['light', frame.light],
            ['dark', frame.dark],
          ],
          colorScheme,
          value => setColorScheme(value as 'auto'),
        )}
      </Card>
      <Card title={text.density} flush>
        {choices(
          text.density,
          [
            ['comfortable', text.comfortable],
            ['compact', text.compact],
          ],
          density,
          choose,
        )}
      </Card>
      <Card title={text.times} flush>
        {choices(
          text.times,
          [
            ['relative', text.timesRelative],
            ['exact', text.timesExact],
          ],
          isExact ? 'exact' : 'relative',
          value => {
            setExactTimes(value === 'exact');
            setExact(value === 'exact');
          },
        )}
      </Card>
    </>
  );
}

function Keyboard() {
  return (
    <Card title={text.pages.keyboard}>
      <div className="stack">
        <Keys />
      </div>
    </Card>
  );
}
