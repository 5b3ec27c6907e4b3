/** The part of the catalogue about addresses that the server asks for somebody: receivers of notifications and run tasks. */

import type { CatalogueEntry } from './catalogue-entry.ts';

export const hookRefusals = {
  'destination-refused': {
    status: 400,
    title: 'verification failed',
    detail: 'The destination did not take a trial message: {reason}. Nothing was changed.',
  },
} as const satisfies Record<string, CatalogueEntry>;
