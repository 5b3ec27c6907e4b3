// `terrane login-config`: the block of a command line's configuration that lets terraform and tofu use this server.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, scheme } from '../core/config.ts';
import { services } from '../http/discovery.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { runningAddress } from './running-server.ts';

export function registerLoginConfig(program: Command): void {
  program
    .command('login-config')
    .description('print the command-line configuration (host services and credentials) for a server')
    .option(
      '--url <url>',
      'address of the server; otherwise TERRANE_PUBLIC_URL, or that of the server on the data directory',
    )
    .option('--token-file <file>', "file with the token; otherwise the administrator's in the data directory")
    .option('--json', 'print it as JSON, which the command lines read from a file named *.tfrc.json')
    .addHelpText(
      'after',
      '\nExample:\n  $ terrane login-config > terrane.tfrc && export TF_CLI_CONFIG_FILE=$PWD/terrane.tfrc',
    )
    .action((options: { url?: string; tokenFile?: string; json?: boolean }) => {
      const config = configuration();
      const address = addressOf(config, options.url);
      const token = tokenFrom(config, options.tokenFile);
      console.log(options.json ? JSON.stringify(asJson(address, token), null, 2) : asBlocks(address, token));
    });
}

/** Plain http is possible because the block names the services: without it the command lines look for them by https. */
function asBlocks(address: URL, token: string): string {
  const lines = Object.entries(services).map(([name, path]) => `    "${name}" = "${address.origin}${path}"`);
  return [
    `host "${address.host}" {`,
    '  services = {',
    ...lines,
    '  }',
    '}',
    '',
    `credentials "${address.host}" {`,
    `  token = ${JSON.stringify(token)}`,
    '}',
  ].join('\n');
}

function asJson(address: URL, token: string): object {
  const absolute = Object.fromEntries(Object.entries(services).map(([name, path]) => [name, address.origin + path]));
  return { host: { [address.host]: { services: absolute } }, credentials: { [address.host]: { token } } };
}

function addressOf(config: Config, given: string | undefined): URL {
  const configured = `${scheme(config)}://${config.host}:${config.port}`;
  // Another terminal does not know the PORT of the one that serves.
  const text = given ?? config.publicUrl ?? runningAddress(config) ?? configured;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text);
  throw new CommandError(`${JSON.stringify(text)} is not an http or https address.`);
}

function tokenFrom(config: Config, file = join(config.dataDirectory, 'admin-token')): string {
  if (config.adminToken && !existsSync(file)) return config.adminToken;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(
      `The token cannot be read from ${file} (${(error as NodeJS.ErrnoException).code}). Name its file with --token-file.`,
    );
  }
}
