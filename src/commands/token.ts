// `terrane token create`: a token for any user, from the machine that runs the server; also the way back in when the
// administrator's token is lost.
import type { Command } from 'commander';
import type { Config } from '../core/config.ts';
import { newId } from '../core/store/ids.ts';
import type { Store } from '../core/store/store.ts';
import { recordEvent } from '../organizations/audit/record.ts';
import { defaultExpiry, newToken, tokenHash } from '../people/tokens/secret.ts';
import { organizationsOf } from '../people/users/user.ts';
import { CommandError } from './command-error.ts';
import { commandLine } from './command-line.ts';
import { configuration } from './configuration.ts';
import { quietLog, withStore } from './database.ts';

export function registerToken(program: Command): void {
  const token = program.command('token').description('manage API tokens');
  token
    .command('create')
    .description('create an API token for a user and print it once; a running server accepts it at once')
    .requiredOption('--user <name>', 'username of the account')
    .option('--description <text>', 'what the token is for', 'created on the command line')
    .option('--json', 'print the token and its id, user, description and expiry as JSON')
    .addHelpText('after', '\nExample:\n  $ terrane token create --user admin --description laptop')
    .action(async ({ user, description, json }: { user: string; description: string; json?: boolean }) => {
      const created = await withStore(configuration(), quietLog, (store, config) =>
        createUserToken(store, config, user, description),
      );
      console.log(json ? JSON.stringify(created) : created.token);
    });
}

type CreatedToken = { id: string; token: string; user: string; description: string; 'expired-at': string | null };

async function createUserToken(
  store: Store,
  config: Config,
  username: string,
  description: string,
): Promise<CreatedToken> {
  return store.transaction(async sql => {
    const [user] = await sql<{ id: string }[]>`
      select users.id from users where users.username = ${username} for update`;
    if (!user) throw new CommandError(`There is no user ${JSON.stringify(username)}.`);
    const id = newId('at');
    const token = newToken();
    const expiry = defaultExpiry(config.tokenTtlDays);
    await sql`
      insert into tokens (id, kind, user_id, hash, description, expired_at, created_by_type, created_by_id)
      values (
        ${id}, 'user', ${user.id}, ${tokenHash(config.tokenPepper ?? '', token)}, ${description}, ${expiry},
        'users', ${user.id}
      )`;
    await recordEvent(sql, {
      operation: 'authentication-tokens.create-for-user',
      actor: commandLine,
      subject: user,
      result: { type: 'authentication-tokens', row: { id, description } },
      notes: { username },
      alsoIn: await organizationsOf(sql, user.id),
      requestId: newId('job'),
      remoteAddress: null,
    });
    return { id, token, user: username, description, 'expired-at': expiry };
  });
}
