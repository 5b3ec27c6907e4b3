/**
 * Points in time and durations, the same everywhere: relative for seven days, then the day; the whole of it on hover, and
 * instead of it where somebody chose so: keys and fingers do not hover.
 */
import { useEffect, useState } from 'react';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

// Made once: making a format takes longer than drawing the row that shows it.
const thisYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const otherYears = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

export function Time({ at, absolute = false }: { at: string | null | undefined; absolute?: boolean }) {
  const [now_ms, isExact] = useClock();
  if (!at) return null;
  const date = new Date(at);
  // A day without a time: to say how many hours ago it was would be made up.
  if (/^\d{4}-\d\d-\d\d$/.test(at)) return <time dateTime={at}>{calendar(date, now_ms)}</time>;
  const utc = `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={at} title={`${utc}\n${local.format(date)}`} data-exact={isExact || undefined}>
      {absolute || isExact ? utc : relativeTime(date, now_ms)}
    </time>
  );
}

export function relativeTime(date: Date, now_ms: number): string {
  const seconds = Math.round((now_ms - date.getTime()) / 1000);
  if (seconds < 0) return future(date, -seconds);
  if (seconds < 45) return 'just now';
  if (seconds < hour) return `${Math.max(1, Math.round(seconds / minute))} min ago`;
  if (seconds < day) return `${Math.round(seconds / hour)} h ago`;
  if (seconds < 2 * day) return 'yesterday';
  if (seconds < 7 * day) return `${Math.floor(seconds / day)} days ago`;
  return calendar(date, now_ms);
}

function future(date: Date, seconds: number): string {
  if (seconds < 45) return 'now';
  if (seconds < hour) return `in ${Math.round(seconds / minute)} min`;
  if (seconds < day) return `in ${Math.round(seconds / hour)} h`;
  if (seconds < 7 * day) return `in ${Math.round(seconds / day)} days`;
  return calendar(date, Date.now());
}

function calendar(date: Date, now_ms: number): string {
  const isThisYear = date.getUTCFullYear() === new Date(now_ms).getUTCFullYear();
  return (isThisYear ? thisYear : otherYears).format(date);
}

export function duration(seconds: number): string {
  if (seconds < minute) return `${Math.round(seconds)} s`;
  if (seconds < hour) return `${Math.floor(seconds / minute)} min ${Math.round(seconds % minute)} s`;
  return `${Math.floor(seconds / hour)} h ${Math.round((seconds % hour) / minute)} min`;
}

const stored = 'terrane.times';
let isExact = localStorage.getItem(stored) === 'exact';

export const timesAreExact = () => isExact;
/** Every time on the page is told in the other way at once. */
export function setExactTimes(isOn: boolean): void {
  isExact = isOn;
  localStorage.setItem(stored, isOn ? 'exact' : 'relative');
  tick();
}

/** One clock for the whole page: it ticks every half minute, and only while somebody looks. */
const listeners = new Set<() => void>();
const tick = () => {
  for (const listener of listeners) listener();
};
setInterval(() => document.visibilityState === 'visible' && tick(), 30_000);

type Reading = readonly [now_ms: number, isExact: boolean];
const read = (): Reading => [Date.now(), isExact];

function useClock(): Reading {
  const [reading, setReading] = useState(read);
  useEffect(() => {
    const listener = () => setReading(read());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return reading;
}
