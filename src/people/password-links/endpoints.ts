/** One-time links (§1). */
import { createPasswordLink } from './create.ts';
import { redeemPasswordLink } from './redeem.ts';
import { requestPasswordLink } from './request.ts';

export const passwordLinkEndpoints = [createPasswordLink, requestPasswordLink, redeemPasswordLink];
