// `terrane import`, `terrane compare` and `terrane export`: an organization from one server of this API to another.
import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { clientSetting } from '../core/config.ts';
import { CommandError } from './command-error.ts';
import { configuration } from './configuration.ts';
import { addressOf, readToken, tokenFor } from './remote/credentials.ts';
import { remoteServer, type Server } from './remote/server.ts';
import { asLines, compareOrganizations, isSame } from './transfer/compare.ts';
import { exportOrganization, folderOrigin } from './transfer/folder.ts';
import { importOrganization } from './transfer/import.ts';
import { type Origin, serverOrigin } from './transfer/origin.ts';
import { progressLine } from './transfer/progress.ts';
import { asMarkdown, summary } from './transfer/report.ts';
import type { Which } from './transfer/states.ts';

interface Source {
  from: string;
  organization?: string;
  tokenFile?: string;
  state: Which;
  parallel: number;
}

interface Destination {
  to?: string;
  toTokenFile?: string;
  as?: string;
}

export function registerMove(program: Command): void {
  registerImport(program);
  registerCompare(program);
  registerExport(program);
}

const sourceOptions = (command: Command, from: string) =>
  command
    .requiredOption('--from <address>', from)
    .option('--organization <name>', 'the organization to read')
    .option('--token-file <file>', 'file with a token for --from; otherwise TERRANE_FROM_TOKEN, or what login kept')
    .addOption(new Option('--state <which>', 'which states').choices(['current', 'all', 'none']).default('current'))
    .option('--parallel <number>', 'how many records at once', wholeNumber(64), 8);

const destinationOptions = (command: Command) =>
  command
    .option('--to <address>', 'the server to write to; otherwise TERRANE_ADDRESS, or the one of this machine')
    .option(
      '--to-token-file <file>',
      "file with its token; otherwise TERRANE_TO_TOKEN, what login kept, or the administrator's",
    )
    .option('--as <name>', 'the name of the organization there; otherwise the same');

function registerImport(program: Command): void {
  const command = program
    .command('import')
    .description('bring an organization along from another server, or from a folder');
  destinationOptions(sourceOptions(command, 'address of the server, or a folder made by export'))
    .option('--email <address>', 'e-mail address of the organization, if it is made', 'admin@localhost')
    .option(
      '--keep-ids',
      'keep the ids of projects, workspaces, teams and the like where they are free (site administrators)',
    )
    .option('--dry-run', 'only say what would come, and what cannot')
    .option('--report <prefix>', 'where the report goes, as <prefix>.json and <prefix>.md', 'terrane-import')
    .addHelpText(
      'after',
      '\nWhat is missing is made, what differs is changed, nothing is removed: broken off, call it again, and it goes on.' +
        '\nExits with 1 when something failed; the report says what, and what has to be filled in by hand.' +
        '\n\nExample:\n  $ terrane import --from https://app.terraform.io --organization acme --token-file hcp-token',
    )
    .action(async (options: Source & Destination & ImportChoices) => runImport(options));
}

interface ImportChoices {
  email: string;
  keepIds?: boolean;
  dryRun?: boolean;
  report: string;
}

async function runImport(options: Source & Destination & ImportChoices): Promise<void> {
  const { origin, server: source, organization } = await originOf(options);
  const server = destination(options);
  const report = await importOrganization(origin, {
    server,
    organization: options.as ?? organization,
    email: options.email,
    states: options.state,
    keepsIds: options.keepIds ?? false,
    isDry: options.dryRun ?? false,
    parallel: options.parallel,
    onProgress: progressLine(),
  });
  report.requests.from = source?.counts.requests ?? 0;
  await writeFile(`${options.report}.json`, `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(`${options.report}.md`, asMarkdown(report));
  console.log(summary(report));
  console.log(`The whole report is in ${options.report}.md and ${options.report}.json.`);
  if (report.failed.length > 0) process.exitCode = 1;
}

function registerCompare(program: Command): void {
  const command = program
    .command('compare')
    .description('read an organization from two servers and print what differs');
  destinationOptions(sourceOptions(command, 'address of the first server'))
    .option('--json', 'print the differences as JSON')
    .addHelpText(
      'after',
      '\nExits with 1 when there are differences.' +
        '\n\nExample:\n  $ terrane compare --from https://app.terraform.io --to https://terrane.example --organization acme',
    )
    .action(async (options: Source & Destination & { json?: boolean }) => {
      const organization = requireOrganization(options);
      const first = serverOrigin(source(options), organization, options.parallel);
      const second = serverOrigin(destination(options), options.as ?? organization, options.parallel);
      const onProgress = progressLine();
      const comparison = await compareOrganizations(first, second, {
        states: options.state,
        parallel: options.parallel,
        onProgress,
      });
      console.log(options.json ? JSON.stringify(comparison) : asLines(comparison));
      if (!isSame(comparison)) process.exitCode = 1;
    });
}

function registerExport(program: Command): void {
  const command = program.command('export').description('write an organization into a folder of JSON and state files');
  sourceOptions(command, 'address of the server')
    .argument('<folder>', 'the folder; what is there of an earlier export is brought up to date')
    .addHelpText(
      'after',
      '\nThe folder holds states, and so whatever secrets are in them: only its owner may read it.' +
        '\n\nExample:\n  $ terrane export --from https://terrane.example --organization acme --state all ./acme',
    )
    .action(async (folder: string, options: Source) => {
      const origin = serverOrigin(source(options), requireOrganization(options), options.parallel);
      const { state: states, parallel } = options;
      const counts = await exportOrganization(origin, folder, { states, parallel, onProgress: progressLine() });
      console.log(`${counts.workspaces} workspaces and ${counts.states} states of ${origin.title} are in ${folder}.`);
    });
}

async function originOf(options: Source): Promise<{ origin: Origin; server?: Server; organization: string }> {
  if (existsSync(options.from) && statSync(options.from).isDirectory()) {
    const origin = await folderOrigin(options.from);
    return { origin, organization: options.organization ?? origin.organization };
  }
  const [server, organization] = [source(options), requireOrganization(options)];
  return { origin: serverOrigin(server, organization, options.parallel), server, organization };
}

function source({ from, tokenFile }: Source): Server {
  const address = addressOf(from);
  return remoteServer({ address, token: tokenFor(address, tokenFile, 'TERRANE_FROM_TOKEN') });
}

/** Without an address it is the server of this machine, whose administrator's token lies in its data directory. */
function destination({ to, toTokenFile }: Destination): Server {
  const named = to ?? clientSetting('TERRANE_ADDRESS');
  if (named !== undefined) {
    const address = addressOf(named);
    return remoteServer({ address, token: tokenFor(address, toTokenFile, 'TERRANE_TO_TOKEN') });
  }
  const { host, port, dataDirectory, adminToken } = configuration();
  const address = `http://${host}:${port}`;
  const token = toTokenFile ? readToken(toTokenFile) : clientSetting('TERRANE_TO_TOKEN');
  return remoteServer({ address, token: token ?? adminToken ?? readToken(join(dataDirectory, 'admin-token')) });
}

function requireOrganization({ organization }: Source): string {
  const name = organization ?? clientSetting('TERRANE_ORGANIZATION');
  if (name) return name;
  throw new CommandError('Which organization? Name it with --organization.');
}

function wholeNumber(largest: number): (text: string) => number {
  return text => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 1 && number <= largest) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${largest}.`);
  };
}
