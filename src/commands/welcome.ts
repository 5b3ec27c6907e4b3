// What a person reads when the server answers: where it is, where the administrator's token lies, what to try first.
import { join } from 'node:path';
import type { Config } from '../core/config.ts';

/** How the administrator's token can be had, as an expression of the shell; `note` says it in words. */
export type TokenSource = { expression: string; note: string };

/** The source for a configuration; `isKept` tells whether the file with the generated token exists. */
export function tokenSource(config: Config, isKept: boolean): TokenSource {
  if (config.adminToken)
    return {
      expression: '$TERRANE_ADMIN_TOKEN',
      note: "The administrator's token is the configured one (user admin).",
    };
  const path = shellWord(join(config.dataDirectory, 'admin-token'));
  if (isKept) return { expression: `$(cat ${path})`, note: `The administrator's token (user admin) is in ${path}.` };
  // The directory is named: another terminal may not know which one this server was given.
  const command = `TERRANE_DATA_DIR=${shellWord(config.dataDirectory)} npm run --silent terrane -- token create --user admin`;
  return { expression: '$TOKEN', note: `There is no file ${path}; get a token with\n  TOKEN=$(${command})` };
}

/** The text for the terminal. Its three requests work when pasted, one after the other. */
export function welcome(address: string, { expression, note }: TokenSource, signIn: string | null): string {
  const request = (path: string, type: string, attributes: object) =>
    `  curl -H "Authorization: Bearer ${expression}" -H "Content-Type: application/vnd.api+json" ` +
    `-d '${JSON.stringify({ data: { type, attributes } })}' ${address}/api/v2/${path}`;
  return [
    '',
    `Terrane answers at ${address}`,
    note,
    ...(signIn ? ['', 'Choose a password and sign in, in a browser (once, within a day):', `  ${signIn}`] : []),
    '',
    'Create an organization, a team and a workspace:',
    request('organizations', 'organizations', { name: 'acme', email: 'admin@acme.example' }),
    request('organizations/acme/teams', 'teams', { name: 'platform' }),
    request('organizations/acme/workspaces', 'workspaces', { name: 'network' }),
    '',
    'Ctrl-C stops the server; what it acknowledged is kept.',
    '',
  ].join('\n');
}

function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
