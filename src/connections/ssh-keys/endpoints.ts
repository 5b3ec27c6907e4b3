/** SSH keys, in the order of their use. */
import { createSshKey } from './create.ts';
import { deleteSshKey } from './delete.ts';
import { listSshKeys } from './list.ts';
import { showSshKey } from './show.ts';
import { updateSshKey } from './update.ts';

export const sshKeyEndpoints = [listSshKeys, createSshKey, showSshKey, updateSshKey, deleteSshKey];
