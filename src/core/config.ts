// The environment, read once into a typed, frozen Config. Nothing else reads process.env.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type Config = Readonly<{
  host: string;
  /** 0 lets the system choose a free one. */
  port: number;
  /** Undefined: the embedded PostgreSQL in `dataDirectory`. */
  databaseUrl?: string;
  dataDirectory: string;
  /** The address in absolute links, without a slash at the end; undefined: the one that is listened on. */
  publicUrl?: string;
  /** The administrator's token at the first start; undefined: a generated one. */
  adminToken?: string;
  /** The key of the tokens' hashes; undefined only with the embedded PostgreSQL, whose data directory keeps one. */
  tokenPepper?: string;
  /** Seals secrets and state at rest; undefined only with the embedded PostgreSQL, whose data directory keeps one. */
  encryptionKey?: string;
  /** Former encryption keys, which still open what they sealed. */
  oldEncryptionKeys?: readonly string[];
  /** The largest content that a state version may have. */
  maxStateMib: number;
  /** A session ends when nobody used it for so long, and that many days after it began at the latest. */
  sessionIdleMinutes: number;
  sessionDays: number;
  /** Lifetime of tokens created without an expiry; 0 means that they never expire. */
  /** Without it tokens live two calendar years; 0: for ever. */
  tokenTtlDays?: number;
  edition: 'self-hosted' | 'hosted';
  /** `YYYYMM-N` (§9). */
  release: string;
  profile: 'documented' | 'vendor';
  logLevel: (typeof logLevels)[number];
  /** Requests a second and user; 0 means no limit. */
  rateLimitPerSecond: number;
  /** Upper limit of each pool of database connections. */
  connections: number;
  /** How many workspaces' rows and documents a server keeps at most. */
  keptWorkspaces: number;
  /** Addresses and networks of proxies whose word on the caller's address is taken; undefined: nobody's. */
  trustProxy?: readonly string[];
  /** Certificate chain and key, PEM: with both the server speaks https only. */
  tlsCertificate?: string;
  tlsKey?: string;
}>;

export type Environment = Record<string, string | undefined>;

/** Everything that is wrong with the environment, at once. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map(line => `  ${line}`).join('\n')}`);
    this.problems = problems;
  }
}

type Setting = { secret?: boolean; parse: (value: string) => unknown };

const shortestSecret = 16;

/** Every variable with its default and its rule; a rule returns the value or throws the problem without quoting secrets. */
const settings = {
  HOST: { parse: text => text },
  PORT: { parse: text => wholeNumber(text, 65_535) },
  DATABASE_URL: { secret: true, parse: postgresUrl },
  TERRANE_DATA_DIR: { parse: text => text },
  TERRANE_PUBLIC_URL: { parse: publicUrl },
  TERRANE_ADMIN_TOKEN: { secret: true, parse: adminToken },
  TERRANE_TOKEN_PEPPER: { secret: true, parse: longSecret },
  TERRANE_ENCRYPTION_KEY: { secret: true, parse: longSecret },
  TERRANE_OLD_ENCRYPTION_KEYS: { secret: true, parse: longSecrets },
  TERRANE_MAX_STATE_MIB: { parse: text => wholeNumber(text, 1024, 1) },
  TERRANE_SESSION_IDLE_MINUTES: { parse: text => wholeNumber(text, 43_200, 1) },
  TERRANE_SESSION_DAYS: { parse: text => wholeNumber(text, 365, 1) },
  TERRANE_TOKEN_TTL_DAYS: { parse: text => wholeNumber(text, 36_500) },
  TERRANE_EDITION: { parse: text => oneOf(text, ['self-hosted', 'hosted']) },
  TERRANE_RELEASE: { parse: release },
  TERRANE_PROFILE: { parse: text => oneOf(text, ['documented', 'vendor']) },
  TERRANE_LOG_LEVEL: { parse: text => oneOf(text, logLevels) },
  TERRANE_RATE_LIMIT: { parse: text => wholeNumber(text, 1_000_000) },
  TERRANE_CONNECTIONS: { parse: text => wholeNumber(text, 1_000, 1) },
  TERRANE_KEPT_WORKSPACES: { parse: text => wholeNumber(text, 1_000_000, 1) },
  TERRANE_TRUST_PROXY: { parse: networks },
  TERRANE_TLS_CERT: { secret: true, parse: pem },
  TERRANE_TLS_KEY: { secret: true, parse: pem },
} as const satisfies Record<string, Setting>;

type Name = keyof typeof settings;

/**
 * Reads the environment. An empty variable counts as absent. Returns warnings for unknown `TERRANE_…` variables.
 * Throws ConfigError with all problems.
 */
export function loadConfig(environment: Environment = process.env): { config: Config; warnings: string[] } {
  const problems: string[] = [];
  const names = Object.keys(settings) as Name[];
  const values: Partial<Record<Name, unknown>> = {};
  for (const name of names) {
    try {
      const text = readText(environment, name);
      if (text !== undefined) values[name] = settings[name].parse(text);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  if (isGiven(environment, 'DATABASE_URL')) {
    for (const [name, why] of Object.entries(shared)) {
      if (!isGiven(environment, name)) problems.push(`${name} must be set when DATABASE_URL is: ${why}`);
    }
  }
  if (isGiven(environment, 'TERRANE_TLS_CERT') !== isGiven(environment, 'TERRANE_TLS_KEY'))
    problems.push('TERRANE_TLS_CERT and TERRANE_TLS_KEY must be set together, or not at all.');
  if (problems.length > 0) throw new ConfigError(problems);
  const given: Partial<Config> = Object.fromEntries(
    names.filter(name => values[name] !== undefined).map(name => [fields[name], values[name]]),
  );
  return { config: Object.freeze({ ...defaults, ...given }), warnings: warningsFor(environment, names) };
}

/** The configuration of a server that keeps nothing: the operator's secrets, the database among them, are not looked at. */
export function loadEphemeralConfig(own: Environment): ReturnType<typeof loadConfig> {
  const names = Object.keys(settings) as Name[];
  const ignored = new Set<string>(names.filter(isSecret).flatMap(name => [name, `${name}_FILE`]));
  const given = Object.entries(process.env).filter(([name]) => !ignored.has(name) && name !== 'TERRANE_PUBLIC_URL');
  return loadConfig({ TERRANE_LOG_LEVEL: 'silent', ...Object.fromEntries(given), ...own });
}

/** Read by the commands that speak to servers as a client. */
const clientVariables = [
  'TERRANE_ADDRESS',
  'TERRANE_TOKEN',
  'TERRANE_ORGANIZATION',
  'TERRANE_FROM_TOKEN',
  'TERRANE_TO_TOKEN',
] as const;

export type ClientVariable = (typeof clientVariables)[number];

/** An empty variable counts as absent. */
export function clientSetting(name: ClientVariable): string | undefined {
  return process.env[name] || undefined;
}

/** What the data directory keeps for the embedded PostgreSQL, and nobody for the operator's. */
const shared = {
  TERRANE_TOKEN_PEPPER: 'all servers of a database share it.',
  TERRANE_ENCRYPTION_KEY: 'all servers of a database share it, and without it nobody reads the state again.',
};

const isGiven = (environment: Environment, name: string) => !!(environment[name] || environment[`${name}_FILE`]);

const fields: Record<Name, keyof Config> = {
  HOST: 'host',
  PORT: 'port',
  DATABASE_URL: 'databaseUrl',
  TERRANE_DATA_DIR: 'dataDirectory',
  TERRANE_PUBLIC_URL: 'publicUrl',
  TERRANE_ADMIN_TOKEN: 'adminToken',
  TERRANE_TOKEN_PEPPER: 'tokenPepper',
  TERRANE_ENCRYPTION_KEY: 'encryptionKey',
  TERRANE_OLD_ENCRYPTION_KEYS: 'oldEncryptionKeys',
  TERRANE_MAX_STATE_MIB: 'maxStateMib',
  TERRANE_SESSION_IDLE_MINUTES: 'sessionIdleMinutes',
  TERRANE_SESSION_DAYS: 'sessionDays',
  TERRANE_TOKEN_TTL_DAYS: 'tokenTtlDays',
  TERRANE_EDITION: 'edition',
  TERRANE_RELEASE: 'release',
  TERRANE_PROFILE: 'profile',
  TERRANE_LOG_LEVEL: 'logLevel',
  TERRANE_RATE_LIMIT: 'rateLimitPerSecond',
  TERRANE_CONNECTIONS: 'connections',
  TERRANE_KEPT_WORKSPACES: 'keptWorkspaces',
  TERRANE_TRUST_PROXY: 'trustProxy',
  TERRANE_TLS_CERT: 'tlsCertificate',
  TERRANE_TLS_KEY: 'tlsKey',
};

const defaults = {
  host: '127.0.0.1',
  port: 8080,
  dataDirectory: './terrane-data',
  maxStateMib: 256,
  sessionIdleMinutes: 480,
  sessionDays: 7,
  edition: 'self-hosted',
  release: '202611-1',
  profile: 'documented',
  logLevel: 'info',
  rateLimitPerSecond: 0,
  connections: 10,
  keptWorkspaces: 1000,
} as const satisfies Config;

function readText(environment: Environment, name: Name): string | undefined {
  const text = environment[name] || undefined;
  const setting: Setting = settings[name];
  const file = setting.secret ? environment[`${name}_FILE`] : undefined;
  if (!file) return text;
  if (text !== undefined) throw new Error(`and ${name}_FILE are both set: set one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`cannot be read from the file ${file} of ${name}_FILE (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function warningsFor(environment: Environment, names: Name[]): string[] {
  const known = new Set<string>(names.flatMap(name => (isSecret(name) ? [name, `${name}_FILE`] : [name])));
  // Read by the tests alone, which start servers with their own environment.
  known.add('TERRANE_TEST_DATABASE_URL');
  for (const name of clientVariables) known.add(name);
  const unknown = Object.keys(environment).filter(name => name.startsWith('TERRANE_') && !known.has(name));
  return unknown.sort().map(name => `${name} is not a variable that Terrane knows; it is ignored.`);
}

function isSecret(name: Name): boolean {
  const setting: Setting = settings[name];
  return setting.secret === true;
}

function wholeNumber(text: string, largest: number, smallest = 0): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= smallest && number <= largest) return number;
  throw new Error(`must be a whole number from ${smallest} to ${largest}, not ${JSON.stringify(text)}.`);
}

function oneOf(text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  throw new Error(`must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`);
}

function publicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (plain && !text.endsWith('/')) return text;
  throw new Error('must be an absolute http or https address without a slash at the end, such as https://example.com.');
}

function postgresUrl(text: string): string {
  if (/^postgres(ql)?:\/\/\S+$/.test(text)) return text;
  throw new Error('must be an address such as postgres://user:password@host:5432/database.');
}

function adminToken(text: string): string {
  if (text.length >= shortestSecret && /^[\x21-\x7e]+$/.test(text)) return text;
  throw new Error(`must have at least ${shortestSecret} characters, all of them printable ASCII without spaces.`);
}

function longSecret(text: string): string {
  if (text.length >= shortestSecret) return text;
  throw new Error(`must have at least ${shortestSecret} characters.`);
}

/** Separated by commas or line ends, which a single key may hold but an old one in this list may not. */
function longSecrets(text: string): string[] {
  const keys = text.split(/[,\n]/).map(key => key.trim());
  return keys.filter(key => key !== '').map(longSecret);
}

/** `10.0.0.0/8, 192.0.2.1`: the proxies in front of the server. */
function networks(text: string): string[] {
  return text.split(',').map(part => {
    const [address = '', bits, ...rest] = part.trim().split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!;
    const isMask = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
    if (most > 0 && isMask && rest.length === 0) return part.trim();
    throw new Error(
      `must be addresses or networks, such as 10.0.0.0/8, separated by commas, not ${JSON.stringify(part)}.`,
    );
  });
}

function pem(text: string): string {
  if (/^-----BEGIN [A-Z ]+-----/m.test(text)) return text;
  throw new Error('must be in PEM form: it has no line that begins with -----BEGIN.');
}

function release(text: string): string {
  if (/^20\d\d(0[1-9]|1[0-2])-[1-9]\d?$/.test(text)) return text;
  throw new Error(`must have the form YYYYMM-N, such as 202611-1, not ${JSON.stringify(text)}.`);
}
