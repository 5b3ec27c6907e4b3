/** Keys: one table that feeds both the handler and the help. Single keys never fire in fields or dialogs. */
import { useEffect, useRef } from 'react';

export const keyTable = {
  palette: ['mod k', 'Search or jump to anything'],
  filter: ['/', 'Filter the list'],
  help: ['?', 'Show the keys'],
  goWorkspaces: ['g w', 'Go to workspaces'],
  goProjects: ['g p', 'Go to projects'],
  goRuns: ['g r', 'Go to runs'],
  goTeams: ['g t', 'Go to teams'],
  goMembers: ['g m', 'Go to members'],
  goAudit: ['g a', 'Go to the audit'],
  goSettings: ['g s', 'Go to settings'],
  down: ['j', 'Next row'],
  up: ['k', 'Previous row'],
  open: ['Enter', 'Open the row'],
  select: ['x', 'Select the row'],
  selectRange: ['Shift x', 'Select up to the row'],
  lock: ['l', 'Lock the workspace'],
  unlock: ['u', 'Unlock the workspace'],
  create: ['n', 'New workspace, run, team, or what else the list holds'],
  copyId: ['c', 'Copy the ID'],
  times: ['e', 'Exact times, or how long ago'],
  previousPage: ['[', 'Previous page'],
  nextPage: [']', 'Next page'],
} as const;

export type KeyName = keyof typeof keyTable;
type Handlers = Partial<Record<KeyName, () => void>>;

const off = 'terrane.keys';
export const singleKeysAreOn = () => localStorage.getItem(off) !== 'off';
export const setSingleKeys = (on: boolean) => localStorage.setItem(off, on ? 'on' : 'off');

const registered = new Set<{ current: Handlers }>();
let first: { key: string; at_ms: number } | null = null;
const sequence_ms = 1500;

/** Handles keys while the component is on the screen; of two handlers for one key the later wins. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    registered.add(latest);
    return () => void registered.delete(latest);
  }, []);
}

/** Looks up what a key press means; called by the one listener of the page. */
export function onKeyDown(event: KeyboardEvent): void {
  const pressed = nameOf(event);
  const name = meaningOf(pressed, event);
  if (!name) return;
  const handler = [...registered].reverse().find(entry => entry.current[name])?.current[name];
  if (!handler) return;
  event.preventDefault();
  first = null;
  handler();
}

function meaningOf(pressed: string, event: KeyboardEvent): KeyName | undefined {
  const names = Object.keys(keyTable) as KeyName[];
  if (pressed.startsWith('mod ')) return names.find(name => keyTable[name][0] === pressed);
  if (!singleKeysAreOn() || isTaken(event)) return undefined;
  const isSecond = first !== null && event.timeStamp - first.at_ms < sequence_ms;
  const whole = isSecond ? `${first!.key} ${pressed}` : pressed;
  const name = names.find(candidate => keyTable[candidate][0] === whole);
  first = !name && pressed === 'g' ? { key: 'g', at_ms: event.timeStamp } : null;
  return name;
}

function nameOf(event: KeyboardEvent): string {
  if (event.ctrlKey || event.metaKey) return `mod ${event.key.toLowerCase()}`;
  return event.shiftKey && /^[A-Z]$/.test(event.key) ? `Shift ${event.key.toLowerCase()}` : event.key;
}

function isTaken({ target, key, altKey }: KeyboardEvent): boolean {
  if (altKey || !(target instanceof HTMLElement)) return true;
  if (
    target.closest(
      'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]',
    )
  )
    return true;
  // Enter on a button or a link is theirs.
  return key === 'Enter' && target.closest('a, button, input') !== null;
}
