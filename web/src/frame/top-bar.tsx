/** Where we are, how fresh it is, and the way to everywhere else. */
import { useIsFetching } from '@tanstack/react-query';
import { Link, useMatches } from '@tanstack/react-router';
import { Fragment, useEffect, useState } from 'react';
import { frame as text } from '../texts/frame.ts';
import { Icon } from '../ui/icon.tsx';
import { Live } from './live.tsx';

/** A crumb is declared by the route: a word, or a function of its parameters. */
export type Crumb = { label: string; to: string };

export function TopBar({ onMenu, onJump }: { onMenu: () => void; onJump: () => void }) {
  const crumbs = useCrumbs();
  return (
    <header className="top">
      <button type="button" className="copy only-narrow" aria-label={text.menu} onClick={onMenu}>
        <Icon name="menu" />
      </button>
      <nav className="crumbs cut" aria-label={text.breadcrumb}>
        {crumbs.map(({ label, to }, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <Fragment key={to}>
              {index > 0 && <span className="separator only-wide">/</span>}
              {isLast ? (
                <span className="cut" aria-current="page">
                  {label}
                </span>
              ) : (
                <Link className="only-wide" to={to}>
                  {label}
                </Link>
              )}
            </Fragment>
          );
        })}
      </nav>
      <Live />
      <button type="button" className="jump only-wide" onClick={onJump}>
        <Icon name="search" />
        {text.jump}
        <kbd>{/Mac|iP/.test(navigator.platform) ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <button type="button" className="copy only-narrow" aria-label={text.search} onClick={onJump}>
        <Icon name="search" />
      </button>
      <ProgressLine />
    </header>
  );
}

function useCrumbs(): Crumb[] {
  return useMatches().flatMap(match => {
    const crumb = (match.staticData as { crumb?: (params: Record<string, string>) => Crumb | Crumb[] }).crumb;
    return crumb ? crumb(match.params as Record<string, string>) : [];
  });
}

/** A line under the top while something is read that is not there yet, once that takes longer than people wait. */
function ProgressLine() {
  const waiting = useIsFetching({ predicate: query => query.state.data === undefined }) > 0;
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!waiting) return setShown(false);
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, [waiting]);
  return isShown ? <div className="progress-line" /> : null;
}
