/** Ends the session, here and in every other tab, and forgets everything that was read in it. */
import { cache } from '../api/cache.ts';
import { answer, api } from '../api/client.ts';
import { bearer, sessionClosed } from './session.ts';

export async function signOut(): Promise<void> {
  // A token stays valid: it is only put away. A session that is gone already is as good as ended.
  if (!bearer()) await answer(api.DELETE('/account/session', {})).catch(() => undefined);
  sessionClosed();
  cache.clear();
}
