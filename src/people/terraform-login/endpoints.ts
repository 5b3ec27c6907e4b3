/** `terraform login` (§1); the exchange of a code is no JSON:API and stands beside them. */
import { authorizeLogin } from './authorize.ts';

export const terraformLoginEndpoints = [authorizeLogin];
