/** A link to another site. What somebody else chose as its address is one of the web, or no link at all. */
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

export function Outside({ to, children }: { to: string | null | undefined; children: ReactNode }) {
  if (!to || !/^https?:\/\//i.test(to)) return children;
  return (
    <a className="link outside" href={to} target="_blank" rel="noreferrer noopener">
      {children}
      <Icon name="external" size={14} />
    </a>
  );
}
