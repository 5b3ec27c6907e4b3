// `terrane sign-in-link`: a one-time link by which a person sets a password in the browser, from the machine that runs the
// server; also the way back in when nobody else can make one.
import type { Command } from 'commander';
import { type Config, scheme } from '../core/config.ts';
import { newId } from '../core/store/ids.ts';
import type { Store } from '../core/store/store.ts';
import { recordEvent } from '../organizations/audit/record.ts';
import { issueLink, linkAddress } from '../people/password-links/password-link.ts';
import { organizationsOf } from '../people/users/user.ts';
import { CommandError } from './command-error.ts';
import { commandLine } from './command-line.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';
import { runningAddress } from './running-server.ts';

export function registerSignInLink(program: Command): void {
  program
    .command('sign-in-link')
    .description('print a one-time link, good for a day, by which a person sets a password in the browser')
    .requiredOption('--user <name>', 'username of the account')
    .option('--url <address>', 'address of the server, if it is neither the one that runs here nor TERRANE_PUBLIC_URL')
    .addHelpText('after', '\nExample:\n  $ terrane sign-in-link --user admin')
    .action(async ({ user, url }: { user: string; url?: string }) => {
      const link = await withStore(configuration(), quietLog, (store, config) =>
        signInLink(store, config, user, url ?? addressOf(config)),
      );
      console.log(link);
    });
}

/** Of the server that runs on the data directory, else as it is configured. */
function addressOf(config: Config): string {
  return runningAddress(config) ?? config.publicUrl ?? `${scheme(config)}://${config.host}:${config.port}`;
}

/** Throws CommandError where there is no such person. */
export function signInLink(store: Store, config: Config, username: string, address: string): Promise<string> {
  return store.transaction(async sql => {
    const [user] = await sql<{ id: string; username: string }[]>`
      select users.id, users.username from users
      where users.username = ${username} and not users.is_service_account for update`;
    if (!user) throw new CommandError(`There is no user ${JSON.stringify(username)}.`);
    const link = await issueLink(sql, config, user);
    await recordEvent(sql, {
      operation: 'password-links.create',
      actor: commandLine,
      subject: user,
      result: { type: 'password-links', row: link },
      notes: {},
      alsoIn: await organizationsOf(sql, user.id),
      requestId: newId('job'),
      remoteAddress: null,
    });
    return linkAddress(address, username, link.secret);
  });
}
