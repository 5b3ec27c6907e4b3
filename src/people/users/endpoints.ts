/** Accounts (§1): one's own, those of others, and their administration. */
import { createUser } from './create.ts';
import { deleteUser } from './delete.ts';
import { listUsers } from './list.ts';
import { inspectUser, showOwnAccount, showUser } from './show.ts';
import { updateOwnAccount } from './update-own.ts';

export const userEndpoints = [
  showOwnAccount,
  updateOwnAccount,
  showUser,
  listUsers,
  createUser,
  inspectUser,
  deleteUser,
];
