/** Every variable of the environment that Terrane reads, said once: docs/operating.md prints this table. */
import { mailAddress, networks, smtpUrl } from './addresses.ts';

export interface Setting<Value> {
  variable: string;
  /** Returns the value, or throws what is wrong with the text, without quoting a secret. */
  parse: (text: string) => Value;
  /** What it is where the variable is not set. */
  initially: Value | undefined;
  /** The same in words, where there is no value to print. */
  otherwise: string;
  /** What operators need to know, in Markdown. */
  meaning: string;
  /** May be given as a file, and is quoted nowhere. */
  isSecret: boolean;
}

/** A setting that always has a value. */
const setting = <Value>(
  variable: string,
  parse: (text: string) => Value,
  initially: NoInfer<Value>,
  meaning: string,
): Setting<Value> & { initially: Value } => ({
  variable,
  parse,
  initially,
  otherwise: `\`${initially}\``,
  meaning,
  isSecret: false,
});

/** A setting that may be absent. */
const optional = <Value>(
  variable: string,
  parse: (text: string) => Value,
  otherwise: string,
  meaning: string,
): Setting<Value> & { initially: undefined } => ({
  variable,
  parse,
  initially: undefined,
  otherwise,
  meaning,
  isSecret: false,
});

/** As `optional`, for what nobody else may read. */
const secret: typeof optional = (...given) => ({ ...optional(...given), isSecret: true });

const text = (given: string) => given;

export const settings = {
  host: setting('HOST', text, '127.0.0.1', 'address to listen on; `0.0.0.0` for all'),
  port: setting('PORT', wholeNumber(0, 65_535), 8080, 'port to listen on; `0` takes a free one'),
  databaseUrl: secret(
    'DATABASE_URL',
    postgresUrl,
    'none',
    'PostgreSQL of your own, `postgres://user:password@host:5432/database`; without it the embedded one',
  ),
  dataDirectory: setting(
    'TERRANE_DATA_DIR',
    text,
    './terrane-data',
    "the embedded PostgreSQL, the generated pepper and encryption key, and the administrator's token",
  ),
  publicUrl: optional(
    'TERRANE_PUBLIC_URL',
    publicUrl,
    'the address listened on',
    'the address in absolute links, without a slash at the end',
  ),
  adminToken: secret(
    'TERRANE_ADMIN_TOKEN',
    adminToken,
    'generated',
    "the administrator's token, if set at the first start: at least 16 printable ASCII characters",
  ),
  tokenPepper: secret(
    'TERRANE_TOKEN_PEPPER',
    longSecret,
    'generated',
    "key of the tokens' hashes, at least 16 characters; required with `DATABASE_URL`",
  ),
  encryptionKey: secret(
    'TERRANE_ENCRYPTION_KEY',
    longSecret,
    'generated',
    'key that seals state, outputs, sensitive variables and SSH keys, at least 16 characters; required with `DATABASE_URL`',
  ),
  oldEncryptionKeys: secret(
    'TERRANE_OLD_ENCRYPTION_KEYS',
    longSecrets,
    'none',
    'former keys, separated by commas or line ends: they open what they sealed',
  ),
  maxStateMib: setting(
    'TERRANE_MAX_STATE_MIB',
    wholeNumber(1, 1024),
    256,
    'the largest content of a state version, 1 to 1024 MiB',
  ),
  tokenTtlDays: optional(
    'TERRANE_TOKEN_TTL_DAYS',
    wholeNumber(0, 36_500),
    'none',
    'lifetime of tokens made without an expiry, in days; without it two calendar years; `0`: they never expire',
  ),
  sessionIdleMinutes: setting(
    'TERRANE_SESSION_IDLE_MINUTES',
    wholeNumber(1, 43_200),
    480,
    'a session in the browser ends when nobody used it for so long, 1 to 43,200',
  ),
  sessionDays: setting(
    'TERRANE_SESSION_DAYS',
    wholeNumber(1, 365),
    7,
    'and so many days after it began in any case, 1 to 365',
  ),
  edition: setting('TERRANE_EDITION', oneOf('self-hosted', 'hosted'), 'self-hosted', '`self-hosted` or `hosted` (§9)'),
  release: setting('TERRANE_RELEASE', release, '202611-1', 'the release to behave as, `YYYYMM-N` (§9)'),
  profile: setting(
    'TERRANE_PROFILE',
    oneOf('documented', 'vendor'),
    'documented',
    '`documented` or `vendor`: whom to follow where the documented contract and clients disagree',
  ),
  invitations: optional(
    'TERRANE_INVITATIONS',
    oneOf('accepted', 'immediate'),
    'by the profile',
    '`accepted`: whoever has an account accepts an invitation before being a member; `immediate`: is a member at once. The profile `documented` stands for the first, `vendor` for the second',
  ),
  logLevel: setting(
    'TERRANE_LOG_LEVEL',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  ),
  rateLimitPerSecond: setting(
    'TERRANE_RATE_LIMIT',
    wholeNumber(0, 1_000_000),
    0,
    'requests a second and user, counted by each server; `0`: no limit',
  ),
  connections: setting(
    'TERRANE_CONNECTIONS',
    wholeNumber(1, 1_000),
    10,
    'the most database connections for changes at once; reading, searching, authentication and readiness have about as many more of their own ([why](decisions/driver.md))',
  ),
  keptWorkspaces: setting(
    'TERRANE_KEPT_WORKSPACES',
    wholeNumber(1, 1_000_000),
    1000,
    'how many workspaces a server keeps in memory at most, at about 27 kB each; what it keeps is never stale ([why](decisions/kept-rows.md))',
  ),
  keptMib: setting(
    'TERRANE_KEPT_MIB',
    wholeNumber(1, 65_536),
    64,
    'how much memory they and their documents take at most, in MiB: a workspace with thousands of outputs takes as much as hundreds of others',
  ),
  smtpUrl: secret(
    'TERRANE_SMTP_URL',
    smtpUrl,
    'none',
    'the mail server for one-time links, such as `smtps://user:password@mail.example.com:465`',
  ),
  mailFrom: optional(
    'TERRANE_MAIL_FROM',
    mailAddress,
    '`Terrane <terrane@…>` at the host of `TERRANE_PUBLIC_URL`',
    'whom mails come from',
  ),
  trustProxy: optional(
    'TERRANE_TRUST_PROXY',
    networks,
    'none',
    'addresses and networks of the proxies in front, such as `10.0.0.0/8, 192.0.2.1`: whose `X-Forwarded-For` says from where a request comes, for the audit and for limits; without it everybody behind a proxy has its address',
  ),
  tlsCertificate: secret(
    'TERRANE_TLS_CERT',
    pem,
    'none',
    'certificate chain in PEM form: with it and its key the server speaks https only; set `TERRANE_PUBLIC_URL` to a name in the certificate, since state is uploaded to absolute addresses',
  ),
  tlsKey: secret('TERRANE_TLS_KEY', pem, 'none', 'the key of the certificate, in PEM form'),
  builtinAgent: setting(
    'TERRANE_BUILTIN_AGENT',
    oneOf('auto', 'on', 'off'),
    'auto',
    '`on` or `off`: whether the server starts an agent of its own; `auto` starts one with the embedded PostgreSQL and a loopback `HOST`, where it finds an engine',
  ),
  builtinAgentUser: optional(
    'TERRANE_BUILTIN_AGENT_USER',
    userAndGroup,
    "the server's",
    '`uid:gid` under which that agent and its engines run; only root can switch',
  ),
  agentToken: secret('TERRANE_AGENT_TOKEN', text, 'none', 'for `terrane agent`: a token of its pool'),
  agentDirectory: optional(
    'TERRANE_AGENT_DIR',
    text,
    '`terrane-agent-<uid>` in the temporary directory',
    'where an agent works; it must belong to its user and be closed to all others',
  ),
  agentHooksDirectory: optional(
    'TERRANE_AGENT_HOOKS_DIR',
    text,
    'none',
    'executables `terraform-pre-plan`, `-post-plan`, `-pre-apply` and `-post-apply` that an agent runs before and behind the engine; one that fails makes the run fail',
  ),
  agentEngineSettings: secret(
    'TERRANE_AGENT_ENGINE_SETTINGS',
    text,
    'none',
    'settings for all engines of an agent in their own form, such as a `provider_installation` block with mirrors',
  ),
  enginesDirectory: optional(
    'TERRANE_ENGINES_DIR',
    text,
    'none',
    'engines besides those on the PATH, such as `1.9.0/terraform` and `tofu_1.10.6` below it',
  ),
};

export const shortestSecret = 16;

function wholeNumber(smallest: number, largest: number): (text: string) => number {
  return given => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= smallest && number <= largest) return number;
    throw new Error(`must be a whole number from ${smallest} to ${largest}, not ${JSON.stringify(given)}.`);
  };
}

function oneOf<Choice extends string>(...choices: Choice[]): (text: string) => Choice {
  return given => {
    const choice = choices.find(one => one === given);
    if (choice !== undefined) return choice;
    throw new Error(`must be one of ${choices.join(', ')}, not ${JSON.stringify(given)}.`);
  };
}

function publicUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (plain && !given.endsWith('/')) return given;
  throw new Error('must be an absolute http or https address without a slash at the end, such as https://example.com.');
}

function postgresUrl(given: string): string {
  if (/^postgres(ql)?:\/\/\S+$/.test(given)) return given;
  throw new Error('must be an address such as postgres://user:password@host:5432/database.');
}

function adminToken(given: string): string {
  if (given.length >= shortestSecret && /^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error(`must have at least ${shortestSecret} characters, all of them printable ASCII without spaces.`);
}

function longSecret(given: string): string {
  if (given.length >= shortestSecret) return given;
  throw new Error(`must have at least ${shortestSecret} characters.`);
}

/** Separated by commas or line ends, which a single key may hold but an old one in this list may not. */
function longSecrets(given: string): readonly string[] {
  const keys = given.split(/[,\n]/).map(key => key.trim());
  return keys.filter(key => key !== '').map(longSecret);
}

function pem(given: string): string {
  if (/^-----BEGIN [A-Z ]+-----/m.test(given)) return given;
  throw new Error('must be in PEM form: it has no line that begins with -----BEGIN.');
}

function release(given: string): string {
  if (/^20\d\d(0[1-9]|1[0-2])-[1-9]\d?$/.test(given)) return given;
  throw new Error(`must have the form YYYYMM-N, such as 202611-1, not ${JSON.stringify(given)}.`);
}

/** `1000:1000`. */
function userAndGroup(given: string): { uid: number; gid: number } {
  const [, uid, gid] = /^(\d{1,9}):(\d{1,9})$/.exec(given) ?? [];
  if (uid && gid && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  throw new Error(
    `must be the numbers of a user, not root, and a group, such as 1000:1000, not ${JSON.stringify(given)}.`,
  );
}
