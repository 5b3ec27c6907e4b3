/** /~/password: what a one-time link opens. It stands behind #, so that it reaches no server's log; the password signs in. */
import { Button, PasswordInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { faultsByField } from '../api/failure.ts';
import { paths } from '../paths.ts';
import { setPassword as text } from '../texts/frame.ts';
import { Failure } from '../ui/loaded.tsx';
import { accountQuery } from './account.ts';
import { CodeField, isCodeWanted } from './code.tsx';
import { BeforeSignIn } from './ground.tsx';
import { sessionOpened } from './session.ts';

export function SetPassword() {
  const [given] = useState(() => new URLSearchParams(window.location.hash.slice(1)));
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      await redeem(given.get('link') ?? '', password, code);
      await navigate({ to: paths.home(), replace: true });
    } catch (caught) {
      setFailure(caught);
      if (isCodeWanted(caught)) setNeedsCode(true);
    } finally {
      setBusy(false);
    }
  };
  const { password: fault } = faultsByField(failure);
  return (
    <BeforeSignIn title={text.title}>
      <form className="stack" onSubmit={event => void submit(event)}>
        <input type="text" name="username" autoComplete="username" readOnly hidden value={given.get('user') ?? ''} />
        <PasswordInput
          label={text.password(given.get('user') ?? '')}
          description={text.hint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          name="password"
          autoComplete="new-password"
          autoFocus
          error={fault}
          value={password}
          onChange={event => setPassword(event.currentTarget.value)}
        />
        {needsCode && <CodeField code={code} onChange={setCode} />}
        <div role="alert">{failure !== null && !fault && <Failure failure={failure} />}</div>
        <Button type="submit" variant="filled" loading={isBusy}>
          {text.submit}
        </Button>
      </form>
    </BeforeSignIn>
  );
}

async function redeem(link: string, password: string, code: string): Promise<void> {
  const attributes = { link, password, ...(code !== '' && { code }) };
  await answer(api.POST('/passwords', { body: { data: { type: 'passwords', attributes } } }));
  sessionOpened();
  await cache.fetchQuery({ ...accountQuery, staleTime: 0 });
}
