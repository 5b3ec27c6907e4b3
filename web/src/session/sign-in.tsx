/** /~/sign-in: who is there? Afterwards the address that was asked for. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { signIn as text } from '../texts/frame.ts';
import { SignInForm } from './form.tsx';
import { BeforeSignIn } from './ground.tsx';
import { Providers, WhyRefused } from './providers.tsx';

export function SignIn() {
  const { to, refused } = useSearch({ strict: false }) as { to?: string; refused?: string };
  const navigate = useNavigate();
  return (
    <BeforeSignIn title={text.title}>
      <WhyRefused reason={refused} />
      <Providers to={ownAddress(to)} />
      <SignInForm onDone={() => navigate({ to: ownAddress(to) })} />
    </BeforeSignIn>
  );
}

/** Only addresses of this interface: a link may not send somebody elsewhere. */
function ownAddress(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') && !to.includes('\\') ? to : '/';
}
