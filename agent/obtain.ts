/** The engine for a version: installed by the operator, downloaded before, or downloaded now, once for all who want it. */
import { type DownloadOptions, download } from './download.ts';
import { engineOf, type InstalledEngine } from './engines.ts';

export interface Engines {
  installed: readonly InstalledEngine[];
  /** Which of the two is executed in this version. */
  nameOf: (version: string) => InstalledEngine['name'];
  /** Throws why it cannot be had, in words for people. */
  of: (version: string) => Promise<InstalledEngine>;
}

/** Without options nothing is downloaded. */
export function enginesOf(installed: readonly InstalledEngine[], options?: DownloadOptions): Engines {
  const downloads = new Map<string, Promise<InstalledEngine>>();
  const downloaded = (from: DownloadOptions, version: string) => {
    const known = downloads.get(version) ?? download(from, version).then(path => ({ name: from.name, version, path }));
    downloads.set(version, known);
    // Whoever asks later tries again.
    known.catch(() => downloads.delete(version));
    return known;
  };
  return {
    installed,
    nameOf: version => engineOf(installed, version)?.name ?? options?.name ?? 'terraform',
    of: async version => {
      const engine = engineOf(installed, version);
      if (engine) return engine;
      const fault = `This agent has no engine of version ${version}. ${inWords(installed)}`;
      if (!options) {
        throw new Error(`${fault} Set the version of the workspace to one of these, or install the other one.`);
      }
      return downloaded(options, version).catch(error => {
        throw new Error(`${fault} It cannot be downloaded: ${(error as Error).message}`);
      });
    },
  };
}

function inWords(installed: readonly InstalledEngine[]): string {
  if (installed.length === 0) return 'It has none at all.';
  return `It has ${installed.map(({ name, version }) => `${name} ${version}`).join(', ')}.`;
}
