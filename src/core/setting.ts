/** What a variable of the environment is, and how its text is read. */

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
export const setting = <Value>(
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
export const optional = <Value>(
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
export const secret: typeof optional = (...given) => ({ ...optional(...given), isSecret: true });

export const text = (given: string) => given;

const shortestSecret = 16;

export function wholeNumber(smallest: number, largest: number): (text: string) => number {
  return given => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= smallest && number <= largest) return number;
    throw new Error(`must be a whole number from ${smallest} to ${largest}, not ${JSON.stringify(given)}.`);
  };
}

export function oneOf<Choice extends string>(...choices: Choice[]): (text: string) => Choice {
  return given => {
    const choice = choices.find(one => one === given);
    if (choice !== undefined) return choice;
    throw new Error(`must be one of ${choices.join(', ')}, not ${JSON.stringify(given)}.`);
  };
}

export function publicUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password;
  if (plain && !given.endsWith('/')) return given;
  throw new Error('must be an absolute http or https address without a slash at the end, such as https://example.com.');
}

/** Absolute ones, separated by colons. */
export function paths(given: string): readonly string[] {
  const found = given.split(':').filter(path => path !== '');
  if (found.every(path => path.startsWith('/'))) return found;
  throw new Error('must be absolute paths, separated by colons.');
}

export function postgresUrl(given: string): string {
  if (/^postgres(ql)?:\/\/\S+$/.test(given)) return given;
  throw new Error('must be an address such as postgres://user:password@host:5432/database.');
}

export function bearerToken(given: string): string {
  if (given.length >= shortestSecret && /^[\x21-\x7e]+$/.test(given)) return given;
  throw new Error(`must have at least ${shortestSecret} characters, all of them printable ASCII without spaces.`);
}

export function longSecret(given: string): string {
  if (given.length >= shortestSecret) return given;
  throw new Error(`must have at least ${shortestSecret} characters.`);
}

/** Separated by commas or line ends, which a single key may hold but an old one in this list may not. */
export function longSecrets(given: string): readonly string[] {
  const keys = given.split(/[,\n]/).map(key => key.trim());
  return keys.filter(key => key !== '').map(longSecret);
}

export function pem(given: string): string {
  if (/^-----BEGIN [A-Z ]+-----/m.test(given)) return given;
  throw new Error('must be in PEM form: it has no line that begins with -----BEGIN.');
}

/** Quoted nowhere: it may hold a password. */
export function proxyUrl(given: string): string {
  if (URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)) return given;
  throw new Error('must be an http or https URL, such as http://proxy.example.com:3128.');
}

/** Separated by commas. */
export function names(given: string): readonly string[] {
  const all = given.split(',').map(name => name.trim().toLowerCase());
  return all.filter(name => name !== '');
}

export function release(given: string): string {
  if (/^20\d\d(0[1-9]|1[0-2])-[1-9]\d?$/.test(given)) return given;
  throw new Error(`must have the form YYYYMM-N, such as 202611-1, not ${JSON.stringify(given)}.`);
}

/** `1000:1000`. */
export function userAndGroup(given: string): { uid: number; gid: number } {
  const [, uid, gid] = /^(\d{1,9}):(\d{1,9})$/.exec(given) ?? [];
  if (uid && gid && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  throw new Error(
    `must be the numbers of a user, not root, and a group, such as 1000:1000, not ${JSON.stringify(given)}.`,
  );
}

/** `name=value,name=value`, each part percent-encoded. */
export function headerPairs(given: string): Readonly<Record<string, string>> {
  const pairs = given.split(',').map(pair => /^\s*([\w.-]+)\s*=([^=,]*)$/.exec(pair));
  try {
    if (pairs.every(pair => pair !== null))
      return Object.fromEntries(
        pairs.map(([, name, value]) => [name!.toLowerCase(), decodeURIComponent(value!).trim()]),
      );
  } catch {
    // Not percent-encoded as it should be.
  }
  throw new Error(
    'must be pairs such as x-key=value, separated by commas, with what is special in them percent-encoded.',
  );
}
