/** Who acts in the audit where somebody with the server's own machine used a command. */
import type { SystemActor } from '../core/audit/change.ts';

export const commandLine: SystemActor = {
  kind: 'system',
  userId: 'command-line',
  username: 'Command line',
  tokenId: null,
};
