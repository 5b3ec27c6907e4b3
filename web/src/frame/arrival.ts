/** What somebody chose elsewhere to do on the screen that they come to: it begins once the screen is there, and once only. */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

export type Arrival = 'lock' | 'unlock' | 'run' | 'destroy';

declare module '@tanstack/react-router' {
  interface HistoryState {
    arrival?: Arrival;
  }
}

/** @param home the address that is meant: while it is still being read, the screen before it is there, and not meant */
export function useArrival(arrival: Arrival, home: string, begin: () => void): void {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const isMeant = state.arrival === arrival && pathname === home;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins when somebody arrives, not when it is another function.
  useEffect(() => {
    if (!isMeant) return;
    begin();
    // Taken out of the history's state: going back or reloading is no second wish.
    void navigate({ to: '.', search: true, replace: true, state: {} });
  }, [isMeant]);
}
