/** Signing in (§1). */
import { signIn } from './sign-in.ts';

export const signInEndpoints = [signIn];
