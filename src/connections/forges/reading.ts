/** What deliveries of all forges have in common: JSON that is judged before it is believed, and texts that have an end. */
import { Ajv } from 'ajv';
import { type Static, type TSchema, Type } from 'typebox';
import { limits } from '../../core/limits.ts';
import { type Delivery, MalformedDelivery, type RepositoryEvent, type Sender } from './forge.ts';

/** Stops at the first fault: what a body of a megabyte is told must not cost more than the body. */
const ajv = new Ajv({ strict: false, ownProperties: true });

/** Reads a delivery's JSON as this schema has it. Members that the schema does not name are left alone. */
export function readerOf<Schema extends TSchema>(schema: Schema): (delivery: Delivery) => Static<Schema> {
  const believed = judgeOf(schema);
  return delivery => believed(jsonOf(delivery));
}

/** For deliveries that say what they are only inside. */
export function judgeOf<Schema extends TSchema>(schema: Schema): (value: unknown) => Static<Schema> {
  const judge = ajv.compile(schema);
  return value => {
    if (judge(value)) return value as Static<Schema>;
    const [fault] = judge.errors ?? [];
    throw new MalformedDelivery(`${fault?.instancePath || 'The body'} ${fault?.message ?? 'is not as documented'}`);
  };
}

/** The same of an answer that a forge gave: null where it is not as documented. */
export function answerOf<Schema extends TSchema>(schema: Schema): (answer: unknown) => Static<Schema> | null {
  const judge = ajv.compile(schema);
  return answer => (judge(answer) ? (answer as Static<Schema>) : null);
}

/** Several forges send forms, if nobody changes it, with the JSON in their field `payload`. */
export function jsonOf({ headers, body }: Delivery): unknown {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const sent = body.toString('utf8');
  const json = isForm ? new URLSearchParams(sent).get('payload') : sent;
  try {
    return JSON.parse(json ?? '');
  } catch {
    throw new MalformedDelivery('The body is not JSON');
  }
}

/** The id that a forge gives a delivery. A replay with another one is as well signed: ids stand in headers, signatures do not cover them. */
export function headerId({ headers }: Delivery, ...names: string[]): string | null {
  const given = names.map(name => headers[name]).find(value => value);
  return given && given.length <= 255 ? given : null;
}

/** What a member may be where forges leave it out, or say null. */
export const maybe = <Schema extends TSchema>(schema: Schema) =>
  Type.Optional(Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }] }));

/** A name, as the database can compare it: without control characters and halves of characters. */
export const word = Type.String({ maxLength: 1024, pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]+$' });
/** A commit, with SHA-1 or SHA-256. */
export const sha = Type.String({ pattern: '^(?:[0-9a-f]{40}|[0-9a-f]{64})$' });

/** What forges name a branch by that is not there before or afterwards. */
export const isNoCommit = (commit: string): boolean => /^0+$/.test(commit);

export const commitOrNull = (commit: string | null | undefined): string | null =>
  commit && !isNoCommit(commit) ? commit : null;

/** `refs/heads/main` → a branch; null for what is neither a branch nor a tag, such as notes. */
export function reference(name: string): { branch: string | null; tag: string | null } | null {
  if (name.startsWith('refs/heads/')) return { branch: name.slice('refs/heads/'.length), tag: null };
  if (name.startsWith('refs/tags/')) return { branch: null, tag: name.slice('refs/tags/'.length) };
  return null;
}

/** Of the branches and tags that one push changes: each is an event, and looked for among the workspaces. */
export function requireFew(changes: readonly unknown[]): void {
  const most = limits.pushedReferences_items.value;
  if (changes.length > most) throw new MalformedDelivery(`The push changes more than ${most} branches and tags`);
}

/** Texts that people wrote, as they are kept: not longer than anybody reads, and of characters that the database takes. */
export function text(written: string | null | undefined): string | null {
  return written ? kept(written, limits.eventText_characters.value) : null;
}

export function line(written: string | null | undefined): string | null {
  return written ? kept(written, limits.eventLine_characters.value) : null;
}

function kept(written: string, most: number): string {
  return written.slice(0, most).replaceAll('\0', '').toWellFormed();
}

/** An address that people may follow, or null: a delivery names them, and what is shown must not be a script. */
export function link(address: string | null | undefined): string | null {
  if (!address || address.length > limits.eventLine_characters.value || !URL.canParse(address)) return null;
  return /^https?:$/.test(new URL(address).protocol) ? address : null;
}

/** Null where they are too many to be kept: then everything counts as changed. */
export function paths(changed: Iterable<string>): string[] | null {
  const all = new Set<string>();
  for (const path of changed) {
    if (path.length > limits.changedPath_characters.value) return null;
    all.add(path.replaceAll('\0', '').toWellFormed());
    if (all.size > limits.changedFiles_items.value) return null;
  }
  return [...all];
}

/** Of commits that list what they changed. None at all say nothing: a branch was set back, and much may have changed. */
export function changedIn(commits: readonly Changing[]): string[] | null {
  if (commits.length === 0) return null;
  return paths(
    commits.flatMap(({ added, removed, modified }) => [...(added ?? []), ...(removed ?? []), ...(modified ?? [])]),
  );
}

/** Where a commit says what it changed. */
export const changing = { added: names(), removed: names(), modified: names() };

function names() {
  return maybe(Type.Array(Type.String()));
}

type Changing = { [Change in keyof typeof changing]?: string[] | null };

export function senderOf(
  username: string | null | undefined,
  avatar?: string | null,
  profile?: string | null,
): Sender | null {
  const name = line(username);
  return name === null ? null : { username: name, avatar_url: link(avatar), html_url: link(profile) };
}

type Known = Pick<RepositoryEvent, 'kind' | 'repository' | 'commit_sha'>;

/** An event of which the rest is not known. */
export function eventOf(known: Known & Partial<RepositoryEvent>): RepositoryEvent {
  return { ...unknown, ...known };
}

const unknown = {
  branch: null,
  default_branch: null,
  tag: null,
  base_sha: null,
  commit_message: null,
  commit_url: null,
  compare_url: null,
  changed_files: null,
  sender: null,
  pull_request: null,
};
