/** /~/welcome: from an empty server, or an empty organization, to the first plan. Each step can be skipped. */
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { PasswordForm } from '../account/password-form.tsx';
import { cache } from '../api/cache.ts';
import { answer, api, documentOf } from '../api/client.ts';
import { faultsByField } from '../api/failure.ts';
import { live_ms } from '../api/live.ts';
import { paths } from '../paths.ts';
import { bearer } from '../session/session.ts';
import { welcome as text } from '../texts/account.ts';
import { organization as words } from '../texts/organization.ts';
import { newWorkspace } from '../texts/workspace.ts';
import { CodeBlock } from '../ui/copy.tsx';
import { useFault } from '../ui/fault.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card, Title } from '../ui/parts.tsx';
import { CommandLine } from '../workspaces/command-line.tsx';
import { organizationsQuery } from './organizations.ts';

export function Welcome() {
  const { data: organizations } = useQuery(organizationsQuery);
  const [made, setMade] = useState<string | null>(null);
  const [hasPassword, setPassword] = useState(!bearer());
  const name = made ?? '';
  const title = organizations?.length === 0 ? text.titleEmpty : text.title;
  return (
    <div className="welcome stack">
      <div>
        <Title of={text.title}>{title}</Title>
        <p className="muted lead">{text.lead}</p>
      </div>
      <ol className="card">
        <Step
          number={1}
          isDone={hasPassword}
          title={hasPassword ? text.passwordDone : text.password}
          detail={hasPassword ? text.passwordDoneDetail : text.passwordDetail}
        >
          {!hasPassword && <PasswordForm isFirst onDone={() => setPassword(true)} />}
        </Step>
        <Step number={2} isDone={made !== null} title={text.organization} detail={text.organizationDetail}>
          {made === null && <OrganizationForm onMade={setMade} />}
        </Step>
        <Step number={3} isDone={false} title={text.people} detail={text.peopleDetail}>
          {made !== null && (
            <div className="line">
              <Button component={Link} {...({ to: paths.members(name) } as object)} variant="default">
                {text.openMembers}
              </Button>
              <Button component={Link} {...({ to: paths.teams(name) } as object)} variant="default">
                {text.openTeams}
              </Button>
            </div>
          )}
        </Step>
        <Step number={4} isDone={false} title={text.command} detail={text.commandDetail}>
          {made !== null && <FirstWorkspace organization={made} />}
        </Step>
      </ol>
      <Card title={text.sample}>
        <p className="muted">{text.sampleDetail}</p>
        <CodeBlock text="npm run --silent terrane -- seed --organization demo --workspaces 20" label={text.sample} />
      </Card>
    </div>
  );
}

interface StepProps {
  number: number;
  isDone: boolean;
  title: string;
  detail: string;
  children: ReactNode;
}

function Step({ number, isDone, title, detail, children }: StepProps) {
  return (
    <li className="card-row welcome-step">
      <span className="step-mark" data-done={isDone || undefined}>
        {isDone ? <Icon name="check" /> : number}
      </span>
      <div className="grow stack tight">
        <h2>{title}</h2>
        <p className="muted">{detail}</p>
        {children}
      </div>
    </li>
  );
}

function OrganizationForm({ onMade }: { onMade: (name: string) => void }) {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [fault, attempt, isBusy, failure] = useFault();
  const faults = faultsByField(failure);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const isMade = await attempt(() =>
      answer(api.POST('/organizations', { body: documentOf('organizations', { name, email }) })),
    );
    if (!isMade) return;
    await cache.invalidateQueries({ queryKey: ['organizations'] });
    onMade(name);
  };
  return (
    <form className="stack tight" onSubmit={event => void submit(event)}>
      <div className="form-pair">
        <TextInput
          label={words.name}
          value={name}
          error={faults['name']}
          onChange={event => setName(event.currentTarget.value)}
        />
        <TextInput
          label={words.email}
          type="email"
          value={email}
          error={faults['email']}
          onChange={event => setEmail(event.currentTarget.value)}
        />
      </div>
      {!faults['name'] && !faults['email'] && fault}
      <div className="line">
        <Button type="submit" variant="filled" loading={isBusy} disabled={name === '' || email === ''}>
          {text.organizationSubmit}
        </Button>
        <span className="muted small">
          /app/<span className="mono">{name || '…'}</span>
        </span>
      </div>
    </form>
  );
}

function FirstWorkspace({ organization }: { organization: string }) {
  const navigate = useNavigate();
  const { data } = useQuery({
    queryKey: ['workspaces', organization, 'first'],
    refetchInterval: live_ms.list,
    queryFn: () =>
      answer(
        api.GET('/organizations/{organization_name}/workspaces', {
          params: { path: { organization_name: organization }, query: { 'page[size]': 1 } },
        }),
      ),
  });
  const first = data?.data[0]?.attributes.name;
  useEffect(() => {
    if (first) void navigate({ to: paths.workspace(organization, first) });
  }, [first, navigate, organization]);
  return (
    <>
      <CommandLine organization={organization} name={newWorkspace.first} />
      <p className="muted" role="status">
        {text.waiting}
      </p>
      <Link className="link" to={paths.workspaces(organization)}>
        {text.openWorkspaces}
      </Link>
    </>
  );
}
