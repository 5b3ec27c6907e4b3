/** The session has ended: signing in again happens over the screen, where what was typed stays. */
import { Modal } from '@mantine/core';
import { cache } from '../api/cache.ts';
import { signIn as text } from '../texts/frame.ts';
import { SignInForm } from './form.tsx';
import { Providers } from './providers.tsx';

/** A provider is another page, which comes back to this one. */
const here = () => window.location.pathname.replace(/^\/app/, '') + window.location.search;

export default function SessionEnded() {
  return (
    <Modal opened onClose={() => {}} title={text.endedTitle} withCloseButton={false} closeOnEscape={false} size="sm">
      <div className="dialog-body">
        <p className="muted">{text.ended}</p>
        <Providers to={here()} />
        <SignInForm onDone={() => cache.invalidateQueries()} />
      </div>
    </Modal>
  );
}
