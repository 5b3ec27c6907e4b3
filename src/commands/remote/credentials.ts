// Which server a command speaks to, and by whose token.
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ClientVariable, clientSetting } from '../../core/config.ts';
import { CommandError } from '../command-error.ts';

/** `https://app.terraform.io`, `terrane.example:8080`: an address without a scheme is https. */
export function addressOf(text: string): string {
  const url = /^https?:\/\//.test(text) ? text : `https://${text}`;
  if (URL.canParse(url)) return new URL(url).origin;
  throw new CommandError(`${JSON.stringify(text)} is not an http or https address.`);
}

/** From the file, else from the environment, else what `terrane login` or `terraform login` kept for the host. */
export function tokenFor(address: string, file: string | undefined, variable: ClientVariable): string {
  if (file !== undefined) return readToken(file);
  const token = clientSetting(variable) ?? keptTokens()[new URL(address).host]?.token;
  if (token) return token;
  const { host } = new URL(address);
  throw new CommandError(
    `There is no token for ${host}: set ${variable}, name a file with it, or run "terrane login ${host}".`,
  );
}

export function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`The token cannot be read from ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** Where `login` was said last, for commands that name no server. */
const addressFile = () => join(homedir(), '.config', 'terrane', 'server');

export function keptAddress(): string | undefined {
  try {
    return readFileSync(addressFile(), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

export function keepAddress(address: string): void {
  mkdirSync(dirname(addressFile()), { recursive: true, mode: 0o700 });
  writeFileSync(addressFile(), `${address}\n`, { mode: 0o600 });
}

type Kept = Record<string, { token?: string }>;

/** The file of the command lines' own `login`, so that one sign-in serves all of them. */
export const credentialsFile = () => join(homedir(), '.terraform.d', 'credentials.tfrc.json');

function keptDocument(): { credentials?: Kept } {
  try {
    return JSON.parse(readFileSync(credentialsFile(), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new CommandError(`${credentialsFile()} cannot be read: ${(error as Error).message}.`);
  }
}

const keptTokens = (): Kept => keptDocument().credentials ?? {};

/** Keeps the token of a host, or forgets it, and leaves the others as they are. */
export function keepToken(host: string, token: string | undefined): void {
  const document = keptDocument();
  const { [host]: _former, ...others } = document.credentials ?? {};
  const credentials = token === undefined ? others : { ...others, [host]: { token } };
  const file = credentialsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.partial`, `${JSON.stringify({ ...document, credentials }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${file}.partial`, 0o600);
  renameSync(`${file}.partial`, file);
}
