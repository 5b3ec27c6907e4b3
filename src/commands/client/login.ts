// `terrane login` and `terrane logout`: a token for a host, kept where terraform and tofu look for it too.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { addressOf, credentialsFile, keepAddress, keepToken, readToken } from '../remote/credentials.ts';
import { RemoteError, remoteServer } from '../remote/server.ts';

export function registerLogin(program: Command): void {
  program
    .command('login')
    .argument('<host>', 'such as terrane.example, or http://127.0.0.1:8080')
    .description('keep a token for a server, for terraform and tofu too')
    .option('--token-file <file>', 'file with the token; otherwise it is asked for, or read from a pipe')
    .helpGroup('Of a server:')
    .addHelpText('after', '\nExample:\n  $ terrane login terrane.example')
    .action(async (host: string, { tokenFile }: { tokenFile?: string }) => {
      const address = addressOf(host);
      const token = tokenFile === undefined ? await askedToken(address) : readToken(tokenFile);
      const username = await accountOf(address, token);
      keepToken(new URL(address).host, token);
      keepAddress(address);
      console.log(`You are ${username} at ${address}. The token is in ${credentialsFile()}.`);
    });
  program
    .command('logout')
    .argument('<host>')
    .description('forget the token of a server; it stays valid until it is revoked')
    .helpGroup('Of a server:')
    .addHelpText('after', '\nExample:\n  $ terrane logout terrane.example')
    .action((host: string) => keepToken(new URL(addressOf(host)).host, undefined));
}

/** Refuses a token that the server does not take, before it is kept. */
async function accountOf(address: string, token: string): Promise<string> {
  try {
    const account = await remoteServer({ address, token }).send('GET', 'account/details');
    return String(account?.attributes['username'] ?? account?.id);
  } catch (error) {
    if (error instanceof RemoteError && error.status === 401)
      throw new CommandError(`${address} does not take this token.`, 4);
    throw error;
  }
}

/** What is typed is not shown. */
async function askedToken(address: string): Promise<string> {
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write(`A token for ${address} (make one at ${address}/app/account/tokens): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTTY });
  for await (const line of lines) {
    lines.close();
    if (isTTY) process.stderr.write('\n');
    if (line.trim()) return line.trim();
    break;
  }
  throw new CommandError('No token was given.');
}
