/** The session has ended: signing in again happens over the screen, where what was typed stays. */
import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { cache } from '../api/cache.ts';
import { signIn as text } from '../texts/frame.ts';
import { SignInForm } from './form.tsx';
import { Providers } from './providers.tsx';
import { onSessionChange, sessionState } from './session.ts';

/** A provider is another page, which comes back to this one. */
const here = () => window.location.pathname.replace(/^\/app/, '') + window.location.search;

export function SessionEnded() {
  const [isEnded, setEnded] = useState(sessionState() === 'ended');
  useEffect(() => onSessionChange(state => setEnded(state === 'ended')), []);
  return (
    <Modal
      opened={isEnded}
      onClose={() => {}}
      title={text.endedTitle}
      withCloseButton={false}
      closeOnEscape={false}
      size="sm"
    >
      <div className="dialog-body">
        <p className="muted">{text.ended}</p>
        <Providers to={here()} />
        <SignInForm onDone={() => cache.invalidateQueries()} />
      </div>
    </Modal>
  );
}
