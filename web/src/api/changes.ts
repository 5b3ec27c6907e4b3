/**
 * Follows the feed of changes of an organization, and reads again what is on the screen and has changed. While the tab is
 * hidden nothing is asked; afterwards it goes on where it was. Fetched, as an EventSource could not send a token.
 */
import type { Query } from '@tanstack/react-query';
import { useEffect } from 'react';
import { bearer } from '../session/session.ts';
import { cache } from './cache.ts';
import type { Resource } from './client.ts';
import { concerns } from './concerns.ts';
import { type StreamEvent, streamEvents } from './event-stream.ts';
import { isToldOfChanges, setToldOfChanges } from './live.ts';

export type Change = Resource<'changes'>;

/** Of many changes at once the screen is read again this often. */
const quiet_ms = 1000;
const together_ms = 200;
/** The server says something every 15 seconds, if only where it is. */
const longestSilence_ms = 40_000;
const pauses_ms = { first: 1000, longest: 60_000 };

export function useChanges(organization: string): void {
  useEffect(() => follow(organization), [organization]);
}

function follow(organization: string): () => void {
  let cursor: string | undefined;
  let open: AbortController | null = null;
  const onEvent = ({ id, event, data }: StreamEvent) => {
    if (cursor === undefined) setTimeout(readFromBefore, quiet_ms, isFollowed);
    cursor = id ?? cursor;
    setToldOfChanges(true);
    if (event === 'change') changed(JSON.parse(data) as Change);
  };
  const isFollowed = () => open !== null;
  const stayOpen = async ({ signal }: AbortController) => {
    for (let pause_ms = pauses_ms.first; !signal.aborted; pause_ms = Math.min(2 * pause_ms, pauses_ms.longest)) {
      const status = await read(organization, cursor, signal, onEvent);
      if (status === 200) pause_ms = pauses_ms.first;
      // Too long ago: what happened meanwhile nobody tells any more.
      if (status === 410) cursor = undefined;
      if (signal.aborted) return;
      lost();
      await new Promise(resolve => setTimeout(resolve, pause_ms));
    }
  };
  const look = () => {
    if (document.visibilityState === 'visible') {
      if (open) return;
      open = new AbortController();
      void stayOpen(open);
    } else {
      open?.abort();
      open = null;
      setToldOfChanges(false);
    }
  };
  look();
  document.addEventListener('visibilitychange', look);
  return () => {
    document.removeEventListener('visibilitychange', look);
    open?.abort();
    setToldOfChanges(false);
  };
}

/** Until the stream ends, breaks off or falls silent. The status of the answer; 0 where there was none. */
async function read(
  organization: string,
  cursor: string | undefined,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<number> {
  const token = bearer();
  const silence = new AbortController();
  let watchdog = setTimeout(() => silence.abort(), longestSilence_ms);
  try {
    const response = await fetch(`/api/v2/organizations/${encodeURIComponent(organization)}/changes`, {
      headers: {
        accept: 'text/event-stream',
        ...(token && { authorization: `Bearer ${token}` }),
        ...(cursor && { 'last-event-id': cursor }),
      },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok || !response.body) return response.status;
    for await (const event of streamEvents(response.body)) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silence.abort(), longestSilence_ms);
      if (event.event === 'end') break;
      onEvent(event);
    }
    return response.status;
  } catch {
    return 0;
  } finally {
    clearTimeout(watchdog);
  }
}

/** From here on it is asked again every few seconds, at first at once. */
function lost(): void {
  if (!isToldOfChanges()) return;
  setToldOfChanges(false);
  void cache.invalidateQueries();
}

/** Nobody tells of what changed between the look at it and the beginning of the feed: what was read by then is read once more. */
function readFromBefore(isFollowed: () => boolean): void {
  if (isFollowed()) void cache.invalidateQueries({ predicate: ({ state }) => state.fetchStatus === 'idle' });
}

let waiting: Change[] = [];
let read_ms = 0;

function changed(change: Change): void {
  waiting.push(change);
  if (waiting.length > 1) return;
  setTimeout(tellCache, Math.max(together_ms, read_ms + quiet_ms - performance.now()));
}

function tellCache(): void {
  const changes = waiting;
  waiting = [];
  read_ms = performance.now();
  void cache.invalidateQueries({
    predicate: (query: Query) => changes.some(change => concerns(query, change, Date.now())),
  });
}
