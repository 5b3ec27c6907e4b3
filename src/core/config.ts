/** The environment, read once into a typed, frozen Config. Nothing else reads process.env. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inheritedFrom } from './inherited.ts';
import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

type Settings = typeof settings;
type Field = keyof Settings;
type ValueOf<Given> = Given extends Setting<infer Value> ? Value : never;
type Optional = { [Name in Field]: Settings[Name]['initially'] extends undefined ? Name : never }[Field];

/** What each setting is. Those that have no value of their own may be absent. */
export type Config = Readonly<
  { [Name in Exclude<Field, Optional>]: ValueOf<Settings[Name]> } & { [Name in Optional]?: ValueOf<Settings[Name]> }
>;

export type Environment = Record<string, string | undefined>;

export const scheme = ({ tlsKey }: Pick<Config, 'tlsKey'>) => (tlsKey ? 'https' : 'http');

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
  for (const name of ['TERRANE_TLS', 'TERRANE_SAML']) {
    if (isGiven(environment, `${name}_CERT`) !== isGiven(environment, `${name}_KEY`))
      problems.push(`${name}_CERT and ${name}_KEY must be set together, or not at all.`);
  }
  const { samlCertificate, samlKey } = config as Config;
  if (samlCertificate && samlKey && !isRsaPair(samlCertificate, samlKey))
    problems.push('TERRANE_SAML_KEY must be an RSA key, and TERRANE_SAML_CERT its certificate.');
  if (problems.length > 0) throw new ConfigError(problems);
  return { config: Object.freeze(config as Config), warnings: warningsFor(environment) };
}

/** The configuration of a server that keeps nothing: the operator's secrets, the database among them, are not looked at. */
export function loadEphemeralConfig(own: Environment): ReturnType<typeof loadConfig> {
  const ignored = new Set<string>(all.filter(({ isSecret }) => isSecret).flatMap(namesOf));
  const given = Object.entries(process.env).filter(([name]) => !ignored.has(name) && name !== 'TERRANE_PUBLIC_URL');
  return loadConfig({ TERRANE_LOG_LEVEL: 'silent', ...Object.fromEntries(given), ...own });
}

/** What a program that this one starts takes over of its environment. */
export const inheritedEnvironment = (): Record<string, string> => inheritedFrom(process.env);

/** Read by the commands that speak to servers as a client. */
const clientVariables = [
  'TERRANE_ADDRESS',
  'TERRANE_TOKEN',
  'TERRANE_ORGANIZATION',
  'TERRANE_FROM_TOKEN',
  'TERRANE_TO_TOKEN',
] as const;

/** Of the unit of systemd, which hands them to `terrane agent` as options. */
const unitVariables = ['TERRANE_URL', 'TERRANE_CONCURRENCY'];

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

function isRsaPair(certificate: string, key: string): boolean {
  try {
    const opened = createPrivateKey(key);
    return opened.asymmetricKeyType === 'rsa' && new X509Certificate(certificate).checkPrivateKey(opened);
  } catch {
    return false;
  }
}

const isGiven = (environment: Environment, name: string) => !!(environment[name] || environment[`${name}_FILE`]);

function readText(environment: Environment, { variable, isSecret }: Setting<unknown>): string | undefined {
  const text = environment[variable] || undefined;
  const file = isSecret ? environment[`${variable}_FILE`] : undefined;
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
  const known = new Set<string>([...all.flatMap(namesOf), ...clientVariables, ...unitVariables]);
  // Read by the tests alone, which start servers with their own environment.
  known.add('TERRANE_TEST_DATABASE_URL');
  const unknown = Object.keys(environment).filter(name => name.startsWith('TERRANE_') && !known.has(name));
  return unknown.sort().map(name => `${name} is not a variable that Terrane knows; it is ignored.`);
}

const namesOf = ({ variable, isSecret }: Setting<unknown>) => (isSecret ? [variable, `${variable}_FILE`] : [variable]);
