/** Passwords (§1). */
import { changePassword } from './change.ts';

export const passwordEndpoints = [changePassword];
