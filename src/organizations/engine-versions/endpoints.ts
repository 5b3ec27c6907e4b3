/** Engine versions, for site administrators. */
import { createEngineVersion } from './create.ts';
import { deleteEngineVersion } from './delete.ts';
import { listEngineVersions } from './list.ts';
import { showEngineVersion } from './show.ts';
import { updateEngineVersion } from './update.ts';

export const engineVersionEndpoints = [
  listEngineVersions,
  createEngineVersion,
  showEngineVersion,
  updateEngineVersion,
  deleteEngineVersion,
];
