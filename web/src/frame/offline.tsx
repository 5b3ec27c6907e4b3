/** Says so where the server does not answer, and asks again every few seconds until it does. What was typed stays. */
import { useEffect, useSyncExternalStore } from 'react';
import { cache } from '../api/cache.ts';
import { live_ms } from '../api/live.ts';
import { onReach, serverIsReached } from '../api/reach.ts';
import { accountQuery } from '../session/account.ts';
import { frame as text } from '../texts/frame.ts';
import { Icon } from '../ui/icon.tsx';

export function Offline() {
  const isReached = useSyncExternalStore(onReach, serverIsReached);
  useEffect(() => {
    if (isReached) return;
    const ask = () => document.visibilityState === 'visible' && void askAgain();
    const timer = setInterval(ask, live_ms.list);
    return () => clearInterval(timer);
  }, [isReached]);
  return (
    <div role="status">
      {!isReached && (
        <p className="offline">
          <Icon name="warning" /> {text.offline}
        </p>
      )}
    </div>
  );
}

/** Once it answers, everything on the screen is read anew. */
async function askAgain(): Promise<void> {
  await cache.fetchQuery({ ...accountQuery, staleTime: 0, retry: false }).catch(() => undefined);
  if (serverIsReached()) await cache.invalidateQueries();
}
