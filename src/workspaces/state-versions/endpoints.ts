/** State versions: made, read, rolled back, what they say to others, and their content. */
import { backingDataEndpoints } from './backing-data.ts';
import { createStateVersion } from './create.ts';
import { listCurrentOutputs, listOutputs, showOutput } from './outputs.ts';
import { listStateVersions, showCurrentStateVersion, showStateVersion } from './read.ts';
import { listResources } from './resources.ts';
import { rollBackState } from './rollback.ts';
import { downloadJsonState, downloadState, uploadJsonState, uploadState } from './upload.ts';

export const stateVersionEndpoints = [
  createStateVersion,
  rollBackState,
  listStateVersions,
  showStateVersion,
  showCurrentStateVersion,
  listOutputs,
  showOutput,
  listCurrentOutputs,
  listResources,
  ...backingDataEndpoints,
  uploadState,
  uploadJsonState,
  downloadState,
  downloadJsonState,
];
