/** Reserved tag keys, in the order of their use. */
import { createReservedTagKey } from './create.ts';
import { deleteReservedTagKey } from './delete.ts';
import { listReservedTagKeys } from './list.ts';
import { updateReservedTagKey } from './update.ts';

export const reservedTagKeyEndpoints = [
  listReservedTagKeys,
  createReservedTagKey,
  updateReservedTagKey,
  deleteReservedTagKey,
];
