/** The tags of an organization (§4.6). */
import { addTagToWorkspaces } from './add-workspaces.ts';
import { deleteTags } from './delete.ts';
import { listTags } from './list.ts';

export const tagEndpoints = [listTags, deleteTags, addTagToWorkspaces];
