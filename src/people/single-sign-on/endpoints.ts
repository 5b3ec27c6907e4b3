/** What the API does about single sign-on (§1). The ways of browsers are pages beside it. */
import { unlinkSingleSignOn } from './unlink.ts';

export const singleSignOnEndpoints = [unlinkSingleSignOn];
