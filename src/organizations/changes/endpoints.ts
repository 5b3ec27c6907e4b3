import { listChanges } from './list.ts';

export const changeEndpoints = [listChanges];
