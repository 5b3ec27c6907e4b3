/** What git complained of, in words for people. */
import { masker } from './mask.ts';
import type { IngressFault } from './protocol.ts';

/** Nothing was fetched: the message is what people read. */
export class FetchError extends Error {
  readonly fault: IngressFault;

  constructor(fault: IngressFault, sentence: string) {
    super(sentence);
    this.fault = fault;
  }
}

const longest = 600;

/** Each with what git, curl, ssh or a server says then. The first that fits counts. */
const meanings: readonly (readonly [RegExp, IngressFault, string])[] = [
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: (?:401|403)/,
    'not_allowed',
    'The host of the repository does not let the connection in: is its token still good, and may it read this repository?',
  ],
  [
    /Permission denied \(|Load key .*: (?:invalid format|error in libcrypto)/,
    'not_allowed',
    'The host of the repository does not let the connection in: does it know the SSH key, and may it read this repository?',
  ],
  [/Host key verification failed/, 'not_allowed', 'The host of the repository shows another SSH key than it should.'],
  [
    /returned error: 3\d\d|unable to update url base from redirection/i,
    'not_found',
    'The host of the repository names another address for it, and no redirect is followed: has it been renamed?',
  ],
  [/couldn't find remote ref/, 'commit_not_found', 'The repository has no such branch or tag.'],
  [
    /not our ref|unadvertised object|unable to find .* under|did not contain [0-9a-f]{40}/i,
    'commit_not_found',
    'The repository does not have the commit any more.',
  ],
  [
    /returned error: (?:404|410)|not found|does not appear to be a git repository|does not exist/i,
    'not_found',
    'The host knows no such repository, or does not show it to the connection.',
  ],
  [
    /SSL|TLS|certificate|gnutls/i,
    'unreachable',
    'The host of the repository has no certificate that is trusted here, or speaks no TLS.',
  ],
  [/Operation too slow|timed out|Timeout, server/i, 'timed_out', 'The host of the repository takes too long.'],
  [
    /Could not resolve host|Failed to connect|Connection (?:refused|reset|closed)|No route to host|unreachable|hung up|early EOF/i,
    'unreachable',
    'The host of the repository cannot be reached, or breaks off.',
  ],
  [/transport '.*' not allowed/, 'not_allowed', 'Repositories are read by https and ssh alone.'],
  [/No space left|File too large|Disk quota/i, 'too_large', 'There is no room for the repository on the disk.'],
];

/** @param said what git wrote, of which the end counts; `secrets` are taken out of what is quoted of it. */
export function faultOf(said: string, code: number | null, secrets: readonly string[]): FetchError {
  const [, fault = 'failed', sentence = `Git ended with ${code ?? 'a signal'}.`] =
    meanings.find(([pattern]) => pattern.test(said)) ?? [];
  const quoted = withoutSecrets(lastWords(said), secrets);
  return new FetchError(fault, quoted === '' ? sentence : `${sentence} Git says: ${quoted}`);
}

function lastWords(said: string): string {
  const lines = said.split(/[\r\n]+/).map(line => printable(line).trim());
  const wanted = lines.filter(line =>
    /^(?:fatal|error|remote: .*(?:error|not|denied|fatal)|ssh:|.*Permission denied)/i.test(line),
  );
  return (wanted.length > 0 ? wanted : lines.filter(line => line !== '')).slice(-2).join(' ').slice(0, longest);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a server may send any of them.
const printable = (text: string) => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ');

function withoutSecrets(text: string, secrets: readonly string[]): string {
  const mask = masker(secrets);
  return Buffer.concat([mask.next(Buffer.from(text)), mask.end()]).toString('utf8');
}
