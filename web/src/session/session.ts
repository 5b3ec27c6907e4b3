/**
 * Whom this tab speaks for: the session of the browser, which a cookie holds that no script can read, or an API token that
 * somebody typed here. The token lives in this tab alone, and goes when it is closed.
 */
import { useSyncExternalStore } from 'react';

const tokenKey = 'terrane.token';
const signedInKey = 'terrane.signed-in';
export type SessionState = 'none' | 'open' | 'ended';
const listeners = new Set<(state: SessionState) => void>();
let state: SessionState = bearer() || localStorage.getItem(signedInKey) ? 'open' : 'none';

export function bearer(): string | null {
  return sessionStorage.getItem(tokenKey);
}

export const sessionState = () => state;

/** With a token for this tab alone, or without one for the session that a cookie holds. */
export function sessionOpened(token?: string): void {
  if (token) sessionStorage.setItem(tokenKey, token);
  else {
    localStorage.setItem(signedInKey, '1');
    tellSignedIn();
  }
  change('open');
}

/** The server no longer knows the caller: who was signed in can sign in again where they are. */
export function sessionRefused(): void {
  if (state === 'open') change('ended');
}

export function sessionClosed(): void {
  sessionStorage.removeItem(tokenKey);
  localStorage.removeItem(signedInKey);
  change('none');
}

export function onSessionChange(listener: (state: SessionState) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

// Signing in reaches the tabs whose session has ended, and so does coming back to one of them.
const windows = new BroadcastChannel('terrane.session');

export function tellSignedIn(): void {
  windows.postMessage('signed in');
}

export function onSignedInElsewhere(listener: () => void): () => void {
  windows.addEventListener('message', listener);
  addEventListener('focus', listener);
  return () => {
    windows.removeEventListener('message', listener);
    removeEventListener('focus', listener);
  };
}

// Signing out reaches all tabs.
addEventListener('storage', event => {
  if (event.key === signedInKey && event.newValue === null && !bearer()) change('none');
});

export const useSessionState = () => useSyncExternalStore(onSessionChange, sessionState);

function change(next: SessionState): void {
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener(next);
}
