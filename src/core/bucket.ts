/** The S3-compatible store that `TERRANE_BLOBS` names. Who may use it is said apart from it. */

export interface Bucket {
  name: string;
  /** Stands before the name of each object: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  /** Without one it is Amazon's. */
  endpoint: string | undefined;
  /** Whether the bucket is named in the path of addresses, as most stores but Amazon's want it, or in their host. */
  isInPath: boolean;
  /** Whether new contents go to PostgreSQL all the same: for the way back. */
  isReadOnly: boolean;
  /** How long an object stays after nothing needs it any more. */
  removal_days: number;
}

const form = 's3://bucket/prefix?region=eu-central-1&endpoint=https://s3.example.com';

/** The parameters that there are, with what each may be. */
const parameters: Record<string, RegExp> = {
  region: /^[\w-]{1,64}$/,
  endpoint: /^https?:\/\/[^\s/?#@]+$/,
  style: /^(path|host)$/,
  new: /^(s3|postgresql)$/,
  'removal-days': /^[1-9]\d{0,3}$/,
};

/** Throws what is wrong with the text. */
export function bucket(given: string): Bucket {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || url.username || url.hash)
    throw new Error(`must be an address such as ${form}.`);
  for (const [name, value] of url.searchParams) {
    const known = Object.hasOwn(parameters, name) ? parameters[name]! : undefined;
    if (!known) throw new Error(`has the parameter ${name}; there are ${Object.keys(parameters).join(', ')}.`);
    if (!known.test(value)) throw new Error(`has the parameter ${name} with a value that it cannot have.`);
  }
  const path = url.pathname.split('/').filter(part => part !== '');
  if (path.some(part => !/^[\w.-]{1,100}$/.test(part) || /^\.+$/.test(part)) || path.length > 10)
    throw new Error('may have up to ten parts of letters, digits, ".", "_" and "-" behind the bucket.');
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  return {
    name: url.host,
    prefix: path.map(part => `${part}/`).join(''),
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    isInPath: (url.searchParams.get('style') ?? (endpoint ? 'path' : 'host')) === 'path',
    isReadOnly: url.searchParams.get('new') === 'postgresql',
    removal_days: Number(url.searchParams.get('removal-days') ?? 1),
  };
}

/** `id:secret`, of an access key. */
export function accessKey(given: string): { id: string; secret: string } {
  const [, id, secret] = /^([^\s:]+):(\S+)$/.exec(given) ?? [];
  if (id && secret) return { id, secret };
  throw new Error('must be the id of an access key and its secret, with a colon between them.');
}
