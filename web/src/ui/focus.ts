/**
 * What opens over the page has the focus from the moment at which it stands, and gives it back; a dialog keeps it, too. Mantine does
 * so by timers: what is typed before the first of them is lost, and the second takes the focus back from whoever has gone on.
 */
const dialogs = '[role=dialog], [role=alertdialog]';
const openings = `${dialogs}, [role=menu]`;
const pressable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea';
/** What Mantine's timers look for. */
const wanted = 'data-autofocus';

/** Where somebody was last: an item of a menu has gone with its menu by the time that its dialog stands. */
let last: Element | null = null;
document.addEventListener('focusin', ({ target }) => {
  last = target as Element;
});

type WayBack = () => void;
const waysBack = new WeakMap<Element, WayBack>();

/** The ref of what is in a dialog: called as soon as it is in the page, before anybody can see it. */
export function holdFocus(dialog: HTMLElement | null): WayBack | undefined {
  if (!dialog) return;
  let held: HTMLElement | null = null;
  const keep = ({ target }: FocusEvent) => {
    held = target as HTMLElement;
  };
  const bringBack = ({ relatedTarget: to }: FocusEvent) => {
    const isElsewhere = to instanceof Element && !to.closest(openings);
    if (isElsewhere) held?.focus({ preventScroll: true });
  };
  dialog.addEventListener('focusin', keep);
  dialog.addEventListener('focusout', bringBack);
  const goBack = focusFirst(dialog, last, {});
  return () => {
    dialog.removeEventListener('focusin', keep);
    dialog.removeEventListener('focusout', bringBack);
    goBack();
  };
}

/** The ref of a menu and of what opens beside a button. It may be left: whoever presses something else closes it by that. */
export function lendFocus(opened: HTMLElement | null): WayBack | undefined {
  // What a field offers leaves the focus in the field.
  if (!opened?.matches(openings)) return;
  const opener = document.getElementById(opened.getAttribute('aria-labelledby') ?? '');
  // It has no place yet: the page must not scroll to where it stands until it has.
  return focusFirst(opened, opener ?? last, { preventScroll: true });
}

function focusFirst(opened: HTMLElement, from: Element | null, options: FocusOptions): WayBack {
  const goBack = wayBackTo(from);
  waysBack.set(opened, goBack);
  const first = opened.querySelector<HTMLElement>(`[${wanted}]`) ?? opened.querySelector<HTMLElement>(pressable);
  (first ?? opened).focus(options);
  // Mantine's timers find this before all else, and it cannot have the focus: they change nothing.
  const decoy = document.createElement('span');
  decoy.hidden = true;
  decoy.setAttribute(wanted, '');
  opened.prepend(decoy);
  return () => {
    const at = document.activeElement;
    if (at === null || at === document.body || opened.contains(at)) goBack();
  };
}

/** The ref of a row: one that goes while it has the focus hands it on. */
export function handFocusOn(row: HTMLTableRowElement | null): WayBack | undefined {
  if (!row) return;
  return () => {
    if (row.contains(document.activeElement)) focusIn(row.nextElementSibling ?? row.previousElementSibling, row);
  };
}

/** The place where somebody was, and what is nearest to it once it has gone. */
function wayBackTo(from: Element | null): WayBack {
  // An item of a menu goes with its menu: what opened that stays.
  const menu = from?.closest('[role=menu]');
  const place = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : from;
  const before = place?.closest(dialogs);
  const row = place?.closest('tr');
  const body = row?.closest('tbody');
  const list = row?.closest<HTMLElement>('.rows');
  const at = row && body ? [...body.rows].indexOf(row) : -1;
  return () => {
    if (place?.isConnected) (place as HTMLElement).focus({ preventScroll: true });
    else if (body?.isConnected) focusIn(body.rows[Math.min(at, body.rows.length - 1)], list);
    else if (list?.isConnected) list.focus();
    else if (before) waysBack.get(before)?.();
  };
}

function focusIn(row: Element | null | undefined, otherwise: Element | null | undefined): void {
  const next = row?.querySelector<HTMLElement>('a, button') ?? otherwise?.closest<HTMLElement>('.rows');
  next?.focus();
}
