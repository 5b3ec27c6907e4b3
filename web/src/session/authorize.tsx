/** /~/authorize: whether `terraform login` may have a token. Both answers go to the command line, which waits on this machine. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api, documentOf, type New } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { authorize as text } from '../texts/sign-in.ts';
import { useFault } from '../ui/fault.tsx';
import { Loaded } from '../ui/loaded.tsx';
import SessionEnded from './ended.tsx';
import { BeforeSignIn } from './ground.tsx';
import { useSessionState } from './session.ts';

/** Who would be acted as: only a session may say yes, and a token of this tab is none. */
async function whoseSession(): Promise<string | null> {
  try {
    const { data, included } = await answer(api.GET('/account/session', { params: { query: { include: ['user'] } } }));
    const people = (included ?? []) as unknown as { id: string; attributes: { username: string } }[];
    return people.find(({ id }) => id === data.relationships.user.data?.id)?.attributes.username ?? null;
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.status === 404) return null;
    throw failure;
  }
}

export function Authorize() {
  const session = useQuery({ queryKey: ['session', 'user'], queryFn: whoseSession });
  const sessionState = useSessionState();
  const [decided, setDecided] = useState<string | null>(null);
  const [fault, attempt, isBusy] = useFault();
  const decide = (isAllowed: boolean) =>
    attempt(async () => {
      const asked = [...new URLSearchParams(window.location.search)].map(([name, value]) => [
        name.replaceAll('_', '-'),
        value,
      ]);
      const attributes = { ...Object.fromEntries(asked), 'is-allowed': isAllowed };
      const body = documentOf('login-authorizations', attributes as New<'login-authorizations'>);
      const { data } = await answer(api.POST('/account/login-authorizations', { body }));
      setDecided(isAllowed ? text.allowed : text.refused);
      window.location.assign(data.attributes['redirect-to']);
    });
  return (
    <BeforeSignIn title={text.title}>
      <Loaded query={session}>
        {who => (
          <div className="stack">
            <p role="status">{decided ?? (who === null ? text.noSession : text.asks(who))}</p>
            {fault}
            {who !== null && decided === null && (
              <div className="line">
                <Button variant="filled" loading={isBusy} onClick={() => void decide(true)}>
                  {text.allow}
                </Button>
                <Button variant="default" disabled={isBusy} onClick={() => void decide(false)}>
                  {text.refuse}
                </Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
      {sessionState === 'ended' && <SessionEnded />}
    </BeforeSignIn>
  );
}
