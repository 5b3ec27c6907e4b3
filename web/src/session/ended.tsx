/** The session has ended: signing in again happens over the screen, where what was typed stays. */
import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { cache } from '../api/cache.ts';
import { paths } from '../paths.ts';
import { signIn as text } from '../texts/frame.ts';
import { accountQuery } from './account.ts';
import { SignInForm } from './form.tsx';
import { Providers } from './providers.tsx';
import { onSignedInElsewhere, sessionOpened, sessionState } from './session.ts';

/** Somebody may have signed in in another window: at a provider, or in another tab. */
async function lookAgain(): Promise<void> {
  if (sessionState() !== 'ended') return;
  try {
    await cache.fetchQuery({ ...accountQuery, staleTime: 0, retry: false });
    sessionOpened();
    await cache.invalidateQueries();
  } catch {
    // Still nobody.
  }
}

export default function SessionEnded() {
  useEffect(() => onSignedInElsewhere(() => void lookAgain()), []);
  return (
    <Modal opened onClose={() => {}} title={text.endedTitle} withCloseButton={false} closeOnEscape={false} size="sm">
      <div className="dialog-body">
        <p className="muted">{text.ended}</p>
        <Providers to={paths.signedIn()} isBeside />
        <SignInForm onDone={() => cache.invalidateQueries()} />
      </div>
    </Modal>
  );
}
