/** Words that more than one screen says. Sentence case; a button is a verb and its object; "…" means that a dialog follows. */
export const common = {
  product: 'Terrane',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  discard: 'Discard',
  saveChanges: 'Save changes',
  saved: 'Saved',
  undo: 'Undo',
  tryAgain: 'Try again',
  optional: '(optional)',
  typeName: 'To confirm, type',
  none: 'None',
  notSet: 'not set',
  on: 'on',
  off: 'off',
  loading: 'Loading',
  messages: 'Messages',
  clearAllFilters: 'Clear all filters',
  actions: 'Actions',
  actionsFor: (name: string) => `Actions for ${name}`,
  skipToContent: 'Skip to content',
  nothingMatches: 'Nothing matches these filters',
  tooMany: 'Only the first 1,000 are shown.',
  request: 'Request',
  failure: {
    offline: 'The server does not answer',
    offlineDetail: 'Nothing was lost: what you typed stays here.',
    gone: 'Nothing here, or nothing that you may see',
    goneDetail: 'The server gives one answer for both. You are signed in as',
    goneAction: 'This is gone, or your access to it is',
    unknown: 'It is not known whether this happened',
    unknownDetail: 'The answer of the server is missing. What it holds now is being read again.',
    general: 'This could not be read',
    waits: (seconds: number) => `The server asks to wait. Trying again in ${seconds} s.`,
    comeAgain: (seconds: number) => `It can be tried again in ${seconds} s.`,
    comeNow: 'It can be tried again now.',
    switchAccount: 'Switch account',
  },
  pages: {
    range: (from: number, to: number, total: number) => `${number(from)}–${number(to)} of ${number(total)}`,
    perPage: 'per page',
    previous: 'Previous page',
    next: 'Next page',
    page: (page: number, pages: number | undefined) =>
      pages === undefined ? `Page ${number(page)}` : `Page ${number(page)} of ${number(Math.max(pages, 1))}`,
    goTo: 'Go to page',
  },
  tags: {
    key: (place: number) => `Key ${place}`,
    keyPlaceholder: 'key',
    value: (place: number) => `Value ${place}`,
    valuePlaceholder: 'value',
    add: 'Add a tag',
    remove: (key: string) => `Remove tag ${key}`,
  },
  live: 'Live',
  updated: (seconds: number) => `Updated ${seconds} s ago`,
  unsaved: (names: string) => `Not saved: ${names}`,
  conflict: {
    title: 'Somebody else changed this meanwhile',
    detail: 'What you changed in other fields is saved as it is. For these, choose which one stays.',
    field: 'Field',
    mine: 'Yours',
    now: 'Now',
    before: 'Before',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  leave: 'Leave without saving?',
  leaveDetail: 'What you changed here has not been saved.',
  leaveAnyway: 'Leave without saving',
  stay: 'Stay here',
  why: {
    question: (act: string) => `Why can’t I ${act}?`,
    missing: 'What is missing',
    who: (organization: string) => `An owner of ${organization} can give it.`,
    levels: (levels: string) => `It comes with access: ${levels}.`,
    keys: 'A team has it with this organization access:',
    givers: (names: string) => `These can give it: ${names}.`,
    copyRequest: 'Copy request for access',
    request: (act: string, where: string, key: string, link: string) =>
      `I would like to ${act} ${where}. That needs ${key}.\n${link}`,
  },
} as const;

const format = new Intl.NumberFormat('en-US');

/** By one format for all: to make one takes a millisecond, and lists say many numbers. */
export const number = (value: number): string => format.format(value);

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}
