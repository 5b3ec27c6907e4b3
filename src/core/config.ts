/** The environment, read once into a typed, frozen Config. Nothing else reads process.env. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { inheritedFrom, userAndGroup } from './inherited.ts';
import type { Setting, settings } from './settings.ts';

type Settings = typeof settings;
type Field = keyof Settings;
type ValueOf<Given> = Given extends Setting<infer Value> ? Value : never;
type Optional = { [Name in Field]: Settings[Name]['initially'] extends undefined ? Name : never }[Field];

/** What each setting is. Those that have no value of their own may be absent. */
export type Config = Readonly<
  { [Name in Exclude<Field, Optional>]: ValueOf<Settings[Name]> } & { [Name in Optional]?: ValueOf<Settings[Name]> }
>;
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
  /** Whether the server starts an agent of its own; `auto`: where only this machine reaches it. */
  builtinAgent: 'auto' | 'on' | 'off';
  /** User and group under which that agent and its engines run; undefined: the server's. */
  builtinAgentUser?: { uid: number; gid: number };
  /** What an agent signs in with: a token of its pool. */
  agentToken?: string;
  /** Where an agent works; undefined: a directory of its own below the temporary one. */
  agentDirectory?: string;
  /** Executables that an agent runs before and behind the engine. */
  agentHooksDirectory?: string;
  /** Settings for all engines of an agent, such as mirrors of providers, in the engines' own form. */
  agentEngineSettings?: string;
  /** Engines besides those on the PATH. */
  enginesDirectory?: string;
  /** What started processes take over of the environment. */
  inherited: Readonly<Record<string, string>>;
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

const fields = Object.entries(settings) as [Field, Setting<unknown>][];
const all = fields.map(([, setting]) => setting);
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
  TERRANE_BUILTIN_AGENT: { parse: text => oneOf(text, ['auto', 'on', 'off']) },
  TERRANE_BUILTIN_AGENT_USER: { parse: userAndGroup },
  TERRANE_AGENT_TOKEN: { secret: true, parse: text => text },
  TERRANE_AGENT_DIR: { parse: text => text },
  TERRANE_AGENT_HOOKS_DIR: { parse: text => text },
  TERRANE_AGENT_ENGINE_SETTINGS: { secret: true, parse: text => text },
  TERRANE_ENGINES_DIR: { parse: text => text },
} as const satisfies Record<string, Setting>;

type Name = keyof typeof settings;

/**
 * Reads the environment. An empty variable counts as absent. Returns warnings for unknown `TERRANE_…` variables.
 * Throws ConfigError with all problems.
 */
export function loadConfig(environment: Environment = process.env): { config: Config; warnings: string[] } {
  const problems: string[] = [];
  const config: Partial<Record<Field, unknown>> = {};
  for (const [field, setting] of fields) {
    try {
      const text = readText(environment, setting);
      const value = text === undefined ? setting.initially : setting.parse(text);
      if (value !== undefined) config[field] = value;
    } catch (error) {
      problems.push(`${setting.variable} ${(error as Error).message}`);
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
  return { config: Object.freeze(config as Config), warnings: warningsFor(environment) };
  const given: Partial<Config> = Object.fromEntries(
    names.filter(name => values[name] !== undefined).map(name => [fields[name], values[name]]),
  );
  return {
    config: Object.freeze({ ...defaults, ...given, inherited: inheritedFrom(environment) }),
    warnings: warningsFor(environment, names),
  };
}

/** The configuration of a server that keeps nothing: the operator's secrets, the database among them, are not looked at. */
export function loadEphemeralConfig(own: Environment): ReturnType<typeof loadConfig> {
  const ignored = new Set<string>(all.filter(({ isSecret }) => isSecret).flatMap(namesOf));
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

function readText(environment: Environment, { variable, isSecret }: Setting<unknown>): string | undefined {
  const text = environment[variable] || undefined;
  const file = isSecret ? environment[`${variable}_FILE`] : undefined;
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
  TERRANE_BUILTIN_AGENT: 'builtinAgent',
  TERRANE_BUILTIN_AGENT_USER: 'builtinAgentUser',
  TERRANE_AGENT_TOKEN: 'agentToken',
  TERRANE_AGENT_DIR: 'agentDirectory',
  TERRANE_AGENT_HOOKS_DIR: 'agentHooksDirectory',
  TERRANE_AGENT_ENGINE_SETTINGS: 'agentEngineSettings',
  TERRANE_ENGINES_DIR: 'enginesDirectory',
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
  builtinAgent: 'auto',
} as const satisfies Omit<Config, 'inherited'>;

function readText(environment: Environment, name: Name): string | undefined {
  const text = environment[name] || undefined;
  const setting: Setting = settings[name];
  const file = setting.secret ? environment[`${name}_FILE`] : undefined;
  if (!file) return text;
  if (text !== undefined) throw new Error(`and ${variable}_FILE are both set: set one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(
      `cannot be read from the file ${file} of ${variable}_FILE (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

function warningsFor(environment: Environment): string[] {
  const known = new Set<string>([...all.flatMap(namesOf), ...clientVariables]);
  // Read by the tests alone, which start servers with their own environment.
  known.add('TERRANE_TEST_DATABASE_URL');
  const unknown = Object.keys(environment).filter(name => name.startsWith('TERRANE_') && !known.has(name));
  return unknown.sort().map(name => `${name} is not a variable that Terrane knows; it is ignored.`);
}

const namesOf = ({ variable, isSecret }: Setting<unknown>) => (isSecret ? [variable, `${variable}_FILE`] : [variable]);
