/** Where nobody is signed in yet: the name of the server, what is asked, and the ground beside it. */
import type { ReactNode } from 'react';
import { signIn as text } from '../texts/frame.ts';
import { Ground, Mark, Wordmark } from '../ui/mark.tsx';
import { Title } from '../ui/parts.tsx';

export function BeforeSignIn({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="sign-in">
      <main className="sign-in-side">
        <div className="line">
          <Mark size={34} />
          <Wordmark height={27} />
        </div>
        <div className="sign-in-form">
          <div>
            <Title of={title}>{title}</Title>
            <p className="muted">{window.location.host}</p>
          </div>
          {children}
        </div>
        <p className="faint small">{text.promise}</p>
      </main>
      <div className="ground-picture">
        <Ground />
      </div>
    </div>
  );
}
