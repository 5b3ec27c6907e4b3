/** What somebody chose elsewhere to do on the screen that they come to: it begins once the screen is there, and once only. */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

export type Arrival = 'lock' | 'unlock' | 'run';

declare module '@tanstack/react-router' {
  interface HistoryState {
    arrival?: Arrival;
  }
}

export function useArrival(arrival: Arrival, begin: () => void): void {
  const { state } = useLocation();
  const navigate = useNavigate();
  const isMeant = state.arrival === arrival;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins when somebody arrives, not when it is another function.
  useEffect(() => {
    if (!isMeant) return;
    begin();
    // Taken out of the history's state: going back or reloading is no second wish.
    void navigate({ to: '.', search: true, replace: true, state: {} });
  }, [isMeant]);
}
