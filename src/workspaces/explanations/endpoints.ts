/** §5, asked the other way round: why, who, and how far. */
import { explainEndpoints } from './explain.ts';
import { listTeamReach } from './reach.ts';
import { listPermissionHolders } from './who.ts';

export const explanationEndpoints = [...explainEndpoints, listPermissionHolders, listTeamReach];
