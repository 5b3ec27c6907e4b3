/** Seconds that are left, counted down while somebody looks. */
import { useEffect, useState } from 'react';

export function useCountDown(first = 0): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(first);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return [left, setLeft];
}
