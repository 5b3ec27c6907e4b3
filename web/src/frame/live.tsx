/** Says whether what is on the screen is fresh. A screen that follows the server says so with useLive. */
import { useEffect, useState } from 'react';
import { common } from '../texts/common.ts';

interface Followed {
  updated_ms: number;
  hasFailed: boolean;
}

let followed: Followed | null = null;
const listeners = new Set<() => void>();

export function useLive(query: {
  dataUpdatedAt: number;
  isError: boolean;
  isSuccess: boolean;
  isRefetchError: boolean;
}): void {
  const { dataUpdatedAt, isRefetchError, isSuccess } = query;
  useEffect(() => {
    followed = isSuccess || isRefetchError ? { updated_ms: dataUpdatedAt, hasFailed: isRefetchError } : null;
    for (const listener of listeners) listener();
    return () => {
      followed = null;
      for (const listener of listeners) listener();
    };
  }, [dataUpdatedAt, isRefetchError, isSuccess]);
}

export function Live() {
  const [, setTick] = useState(0);
  useEffect(() => {
    const listener = () => setTick(tick => tick + 1);
    listeners.add(listener);
    const timer = setInterval(() => followed?.hasFailed && listener(), 1000);
    return () => {
      listeners.delete(listener);
      clearInterval(timer);
    };
  }, []);
  if (!followed) return null;
  if (!followed.hasFailed) return <span className="live only-wide">{common.live}</span>;
  const seconds = Math.round((Date.now() - followed.updated_ms) / 1000);
  return (
    <span className="live" data-late>
      {common.updated(seconds)}
    </span>
  );
}
