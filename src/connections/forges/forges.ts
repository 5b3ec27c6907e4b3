/** Which forge a kind of connection is. */

import type { Forge } from './forge.ts';
import { git } from './git.ts';
import type { ServiceProvider } from './providers.ts';

/** Those whose own deliveries are not read yet understand the webhook that anybody can send. */
export function forgeOf(_provider: ServiceProvider): Forge {
  return git;
}
