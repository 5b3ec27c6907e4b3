/** Who is there? By password, or by an API token for this tab alone. */
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { signIn as text } from '../texts/frame.ts';
import { useCountDown } from '../ui/count-down.ts';
import { Icon } from '../ui/icon.tsx';
import { Failure } from '../ui/loaded.tsx';
import { accountQuery } from './account.ts';
import { CodeField, isCodeWanted } from './code.tsx';
import { bearer, sessionClosed, sessionOpened } from './session.ts';

export function SignInForm({ onDone }: { onDone: () => unknown }) {
  const [isByToken, setByToken] = useState(false);
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [wait_s, setWait] = useCountDown();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(null);
    setBusy(true);
    try {
      if (isByToken) await byToken(secret.trim());
      else await byPassword(name, secret, code);
      await onDone();
    } catch (caught) {
      setFailure(caught);
      if (isCodeWanted(caught)) setNeedsCode(true);
      if (caught instanceof ApiFailure && caught.status === 429) setWait(Math.ceil(caught.retryAfter ?? 60));
    } finally {
      setBusy(false);
    }
  };
  const isRefused = failure instanceof ApiFailure && [401, 422].includes(failure.status) && !isCodeWanted(failure);
  const isLimited = failure instanceof ApiFailure && failure.status === 429;
  const swap = () => {
    setByToken(!isByToken);
    setSecret('');
    setFailure(null);
  };
  return (
    <form className="stack" onSubmit={event => void submit(event)}>
      {isByToken ? (
        <PasswordInput
          key="token"
          label={text.token}
          description={text.tokenHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          data-autofocus
          autoFocus
          value={secret}
          onChange={event => setSecret(event.currentTarget.value)}
        />
      ) : (
        <>
          <TextInput
            label={text.name}
            name="username"
            autoComplete="username"
            autoFocus
            data-autofocus
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
          <PasswordInput
            key="password"
            label={text.password}
            name="password"
            autoComplete="current-password"
            value={secret}
            onChange={event => setSecret(event.currentTarget.value)}
          />
          {needsCode && <CodeField code={code} onChange={setCode} />}
        </>
      )}
      <div role="alert">
        {isRefused && <p className="danger-text">{text.refused}</p>}
        {wait_s > 0 && <p className="danger-text">{text.wait(wait_s)}</p>}
      </div>
      {failure !== null && !isRefused && !isLimited && <Failure failure={failure} />}
      <Button type="submit" variant="filled" loading={isBusy} disabled={wait_s > 0}>
        {text.submit}
      </Button>
      <button type="button" className="link line centred" onClick={swap}>
        <Icon name={isByToken ? 'member' : 'key'} size={14} />
        {isByToken ? text.usePassword : text.useToken}
      </button>
    </form>
  );
}

async function byPassword(name: string, password: string, code: string): Promise<void> {
  const attributes = { name, password, ...(code !== '' && { code }) };
  await answer(api.POST('/sessions', { body: { data: { type: 'sessions', attributes } } }));
  sessionOpened();
  await cache.fetchQuery({ ...accountQuery, staleTime: 0 });
}

/** A token is tried before it is kept. */
async function byToken(token: string): Promise<void> {
  const before = bearer();
  sessionOpened(token);
  try {
    await cache.fetchQuery({ ...accountQuery, staleTime: 0 });
  } catch (caught) {
    if (before) sessionOpened(before);
    else sessionClosed();
    throw caught;
  }
}
