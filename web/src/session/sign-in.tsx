/** /~/sign-in: who is there? Afterwards the address that was asked for. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { signIn as text } from '../texts/frame.ts';
import { Ground, Mark, Wordmark } from '../ui/mark.tsx';
import { Title } from '../ui/parts.tsx';
import { SignInForm } from './form.tsx';

export function SignIn() {
  const { to } = useSearch({ strict: false }) as { to?: string };
  const navigate = useNavigate();
  return (
    <div className="sign-in">
      <main className="sign-in-side">
        <div className="line">
          <Mark size={34} />
          <Wordmark height={27} />
        </div>
        <div className="sign-in-form">
          <div>
            <Title of={text.title}>{text.title}</Title>
            <p className="muted">{window.location.host}</p>
          </div>
          <SignInForm onDone={() => navigate({ to: ownAddress(to) })} />
        </div>
        <p className="faint small">{text.promise}</p>
      </main>
      <div className="ground-picture">
        <Ground />
      </div>
    </div>
  );
}

/** Only addresses of this interface: a link may not send somebody elsewhere. */
function ownAddress(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : '/';
}
