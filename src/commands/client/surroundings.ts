// The server that a command speaks to, and the organization that it means.
import { spawn } from 'node:child_process';
import { clientSetting } from '../../core/config.ts';
import { CommandError } from '../command-error.ts';
import { addressOf, keptAddress, tokenFor } from '../remote/credentials.ts';
import { type Resource, remoteServer } from '../remote/server.ts';
import { usageCode } from './exit-codes.ts';
import type { Surroundings } from './request.ts';

export interface Common {
  server?: string;
  organization?: string;
  'token-file'?: string;
  tokenFile?: string;
  json?: boolean;
  table?: boolean;
}

export function surroundings(options: Common): Surroundings {
  const named = options.server ?? clientSetting('TERRANE_ADDRESS') ?? keptAddress();
  if (named === undefined)
    throw new CommandError(
      'Which server? Name it with --server or TERRANE_ADDRESS, or run "terrane login HOST".',
      usageCode,
    );
  const address = addressOf(named);
  const tokenFile = options.tokenFile ?? options['token-file'];
  const server = remoteServer({ address, token: tokenFor(address, tokenFile, 'TERRANE_TOKEN') });
  const organization = async () => {
    const given = options.organization ?? clientSetting('TERRANE_ORGANIZATION');
    if (given) return given;
    const [only, ...others] = await server.list('organizations');
    if (only && others.length === 0) return only.id;
    const choice = only ? [only, ...others].map(({ id }) => id).join(', ') : 'you see none';
    throw new CommandError(`Which organization? Name it with --organization: ${choice}.`, usageCode);
  };
  return { server, organization };
}

const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' };

/** Opens the record's page, and prints its address, for where there is no browser. */
export function openPage(address: string, record: Resource & { links?: Record<string, string> }): void {
  const path = record.links?.['self-html'];
  if (!path) throw new CommandError(`There is no page of ${record.type}.`);
  const url = new URL(path, address).href;
  console.log(url);
  const opener = openers[process.platform];
  // Its absence is no fault: the address was printed.
  if (opener)
    spawn(opener, [url], { detached: true, stdio: 'ignore' })
      .on('error', () => undefined)
      .unref();
}
