/** Who asked for a run, or brought a configuration, in the words of their `source`; and what follows from it. */
import type { CommandLine } from '../../core/jsonapi/endpoint.ts';

const fromCommandLines = { cloud: 'terraform+cloud', remote: 'terraform' } as const satisfies Record<
  CommandLine,
  string
>;

export const sourceOf = (commandLine: CommandLine | null) =>
  commandLine === null ? 'tfe-api' : fromCommandLines[commandLine];

/** Whether engines are to speak JSON: the backend `remote` shows people every line of a log as it stands. */
export const isStructured = (source: string, isWanted: boolean) => isWanted && source !== fromCommandLines.remote;
