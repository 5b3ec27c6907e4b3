/** Providers of single sign-on, for site administrators (§1). */
import { createProvider } from './create.ts';
import { deleteProvider } from './delete.ts';
import { listProviders } from './list.ts';
import { showProvider } from './show.ts';
import { updateProvider } from './update.ts';

export const signInProviderEndpoints = [listProviders, createProvider, showProvider, updateProvider, deleteProvider];
