/** Signing in (§1). */
import { showSignInOptions } from './options.ts';
import { signIn } from './sign-in.ts';

export const signInEndpoints = [showSignInOptions, signIn];
