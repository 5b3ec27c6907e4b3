/** The small parts that screens are made of: heads, cards, tags, avatars, empty states, tabs. */
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { common, number } from '../texts/common.ts';

/** The title of a screen. It takes the focus when the screen is new, so that readers begin here. */
export function Title({ children, of }: { children: ReactNode; of: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: state => state.location.pathname });
  useEffect(() => {
    document.title = `${of} · ${common.product}`;
  }, [of]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what makes a screen new.
  useLayoutEffect(() => {
    // A field that asked for the focus keeps it: there the screen begins. So does whoever is in a dialog.
    const isTaken = document.activeElement?.matches('input, textarea, [role=dialog] *, [role=alertdialog] *');
    if (!isTaken) heading.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

export function PageHead({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <div className="page-head">
      <Title of={title}>{title}</Title>
      {hint && <span className="muted only-wide">{hint}</span>}
      <span className="grow" />
      {children}
    </div>
  );
}

export function Card({
  title,
  action,
  children,
  flush,
}: {
  title?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
  flush?: boolean;
}) {
  return (
    <section className="card">
      {title && (
        <header>
          <h2>{title}</h2>
          {action}
        </header>
      )}
      {flush ? children : <div className="card-body">{children}</div>}
    </section>
  );
}

export function Tag({ tagKey, value }: { tagKey: string; value?: string | null }) {
  if (!value) return <span className="tag cut">{tagKey}</span>;
  return (
    <span className="tag" title={`${tagKey}: ${value}`}>
      <span className="tag-key">{tagKey}</span>
      <span className="cut">{value}</span>
    </span>
  );
}

const avatarGroups = ['hold', 'running', 'replace', 'attention', 'applied'];

export function Avatar({ name, id }: { name: string; id: string }) {
  let hash = 0;
  for (const letter of id) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 997;
  return (
    <span className="avatar" data-group={avatarGroups[hash % avatarGroups.length]} aria-hidden="true">
      {name.slice(0, 1).toLowerCase()}
    </span>
  );
}

/** Three kinds, never mixed: none yet, none match, none that the caller may see. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
      {action}
    </div>
  );
}

export interface Tab {
  to: string;
  label: string;
  count?: number | undefined;
  /** Whether addresses below this one belong to it, too. */
  below?: boolean;
}

export function Tabs({ tabs, label }: { tabs: Tab[]; label: string }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, label: text, count, below }) => (
        <Link key={to} to={to} activeOptions={{ exact: !below }}>
          {text}
          {count !== undefined && <span className="count">{number(count)}</span>}
        </Link>
      ))}
    </nav>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode] | null)[] }) {
  return (
    <dl className="facts">
      {facts
        .filter(fact => fact !== null)
        .map(([term, fact], position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one term, and none moves.
          <div key={position} style={{ display: 'contents' }}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
    </dl>
  );
}
