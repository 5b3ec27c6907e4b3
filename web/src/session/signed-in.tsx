/** /~/signed-in: where a way by a provider ends that began beside a screen. The screen goes on, and this window may go. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '../paths.ts';
import { signedIn as text } from '../texts/sign-in.ts';
import { Loaded } from '../ui/loaded.tsx';
import { accountQuery } from './account.ts';
import { BeforeSignIn } from './ground.tsx';
import { sessionOpened } from './session.ts';

export function SignedIn() {
  const query = useQuery({ ...accountQuery, staleTime: 0 });
  useEffect(() => {
    if (!query.isSuccess) return;
    sessionOpened();
    // Where the browser does not let it, the page says that somebody may.
    window.close();
  }, [query.isSuccess]);
  return (
    <BeforeSignIn title={text.title}>
      <Loaded query={query}>
        {() => (
          <div className="stack">
            <p role="status">{text.detail}</p>
            <Button component={Link} {...({ to: paths.home() } as object)} variant="default">
              {text.stay}
            </Button>
          </div>
        )}
      </Loaded>
    </BeforeSignIn>
  );
}
