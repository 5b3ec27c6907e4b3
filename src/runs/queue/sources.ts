/** Who asked for a run, or brought a configuration, in the words of their `source`; and what follows from it. */
import type { ServiceProvider } from '../../connections/forges/providers.ts';
import type { CommandLine } from '../../core/jsonapi/endpoint.ts';

const fromCommandLines = { cloud: 'terraform+cloud', remote: 'terraform' } as const satisfies Record<
  CommandLine,
  string
>;

export const sourceOf = (commandLine: CommandLine | null) =>
  commandLine === null ? 'tfe-api' : fromCommandLines[commandLine];

/** Of a configuration that was fetched: the family of its host, or `git` for all those that have no word of their own. */
export const sourceOfProvider = (provider: ServiceProvider) =>
  /^(github|gitlab|bitbucket|ado)/.exec(provider)?.[1] ?? 'git';

/** Of a run that an uploaded or fetched configuration began by itself. */
export const ofConfigurations = 'tfe-configuration-version';

/** Whether engines are to speak JSON: the backend `remote` shows people every line of a log as it stands. */
export const isStructured = (source: string, isWanted: boolean) => isWanted && source !== fromCommandLines.remote;
