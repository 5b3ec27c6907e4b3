/**
 * The `sql` tag: a statement, or a fragment of another one. What stands between `${}` is sent as a parameter, never as
 * text, unless it is a fragment or a name.
 */
import type { Kept } from './kept.ts';
import { encode, Json, type Parameter } from './values.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a row holds is known to its statement alone.
export type AnyRow = Record<string, any>;

/** The rows of a statement; `count` says how many it read or changed, also where it gives none back. */
export type Rows<Found extends readonly unknown[]> = Found & { count: number };

/** Text and parameters, as they are sent. */
export interface Composed {
  text: string;
  parameters: Parameter[];
  /** Whether the text may be many statements. */
  isScript?: true;
}

/** Sends what was composed. */
export type Send = (composed: Composed) => Promise<Rows<AnyRow[]>>;

type Members = Record<string, unknown>;

export interface Sql {
  <Found extends readonly unknown[] = AnyRow[]>(strings: TemplateStringsArray, ...values: unknown[]): Query<Found>;
  /** A name or names, in quotation marks: `workspaces.id` is a column of a table. */
  (names: string | readonly string[]): Fragment;
  /** For `insert into … ${sql(rows)}` and `set ${sql(row)}`: columns and parameters by name. All rows have the members of the first. */
  (rows: object | readonly object[]): Fragment;
  json: (value: unknown) => Json;
  /** Text that is SQL already. Nothing that a caller sent may stand in it. */
  unsafe: <Found extends readonly unknown[] = AnyRow[]>(text: string, values?: readonly unknown[]) => Query<Found>;
  /** Many statements in one text, in one transaction, without values. */
  script: (text: string) => Promise<unknown>;
  /** Rows that were read through this door and may still hold; of a transaction there are none. */
  kept?: Kept;
  /**
   * Of a transaction: rows that were read before it, by the stamp that they have in it. What is kept in it is kept once it is
   * committed. The stamp is the row's, so it is the row of now or of nobody.
   */
  known?: Pick<Kept, 'find' | 'keep' | 'show'>;
}

export type Fragment = Query<AnyRow[]>;

/** A part of a template that is neither a value nor a template: it writes itself, knowing what stands before it. */
type Written = (into: Writing, before: string) => void;

/**
 * A statement that is sent when somebody first waits for it, and once. As a fragment nobody waits for it.
 * @template Found the array of its rows
 */
export class Query<Found extends readonly unknown[]> implements Promise<Rows<Found>> {
  readonly [Symbol.toStringTag] = 'Query';
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  readonly #send: Send;
  #sent: Promise<Rows<Found>> | undefined;

  constructor(strings: readonly string[], values: readonly unknown[], send: Send) {
    this.strings = strings;
    this.values = values;
    this.#send = send;
  }

  /** Where it would travel as JSON, it was meant as a part of the text. */
  toJSON(): never {
    throw new TypeError('A fragment was given as a value.');
  }

  #result(): Promise<Rows<Found>> {
    this.#sent ??= this.#start();
    return this.#sent;
  }

  // A value that cannot be sent is a fault of the statement, like any other.
  async #start(): Promise<Rows<Found>> {
    return (await this.#send(compose(this))) as unknown as Rows<Found>;
  }

  /**
   * Sends it, and nobody waits: what comes after it travels with it. For transactions alone, which end with its fault if it
   * has one.
   */
  send(): void {
    this.#sent ??= this.#send(compose(this)) as Promise<unknown> as Promise<Rows<Found>>;
    this.#sent.catch(() => undefined);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<Done = Rows<Found>, Failed = never>(
    done?: ((rows: Rows<Found>) => Done | PromiseLike<Done>) | null,
    failed?: ((fault: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#result().then(done, failed);
  }

  catch<Failed = never>(failed?: ((fault: unknown) => Failed | PromiseLike<Failed>) | null) {
    return this.#result().catch(failed);
  }

  finally(after?: (() => void) | null) {
    return this.#result().finally(after);
  }
}

/** The tag for statements that `send` sends. */
export function tag(send: Send, doors: Pick<Sql, 'kept' | 'known'> = {}): Sql {
  const sql = (first: readonly string[] | object | string, ...values: unknown[]) => {
    if (isTemplate(first)) return new Query(first, values, send);
    return new Query(['', ''], [isNames(first) ? names(first) : members(first as Members)], send);
  };
  const unsafe: Sql['unsafe'] = (text, values = []) => new Query([text], values, send);
  const script = (text: string) => send({ text, parameters: [], isScript: true });
  return Object.assign(sql, { json, unsafe, script, ...doors }) as unknown as Sql;
}

const json = (value: unknown) => new Json(value);
const isTemplate = (first: object | string): first is readonly string[] =>
  Array.isArray(first) && Object.hasOwn(first, 'raw');
const isNames = (first: object | string): first is string | readonly string[] =>
  typeof first === 'string' || (Array.isArray(first) && typeof first[0] === 'string');

/** A fragment that says nothing. */
export const none: Fragment = new Query([''], [], () => Promise.reject(new Error('An empty fragment was sent.')));

/** The fragments one after the other with the text between them: as deep as one of them, however many there are. */
export function joined(fragments: readonly Fragment[], between: string): Fragment {
  if (fragments.length === 0) return none;
  const strings = ['', ...Array<string>(fragments.length - 1).fill(between), ''];
  return new Query(strings, fragments, () => Promise.reject(new Error('A list of fragments was sent.')));
}

interface Writing extends Composed {
  value: (value: unknown) => void;
}

export function compose(query: Query<readonly unknown[]>): Composed {
  const into: Writing = {
    text: '',
    parameters: [],
    value: value => {
      if (value instanceof Query) return write(value, into);
      into.text += `$${into.parameters.push(encode(value))}`;
    },
  };
  // A statement of one piece of text has its parameters' places in it already.
  if (query.strings.length === 1) return { text: query.strings[0]!, parameters: query.values.map(encode) };
  write(query, into);
  return { text: into.text, parameters: into.parameters };
}

function write({ strings, values }: Query<readonly unknown[]>, into: Writing): void {
  into.text += strings[0]!;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value === 'function') (value as Written)(into, lastText(strings[at]!, into));
    else into.value(value);
    if (strings[at + 1] !== undefined) into.text += strings[at + 1]!;
  }
}

/** What a part sees before it; a fragment that begins with it sees what stands before the fragment. */
const lastText = (before: string, into: Writing) => (before.trim() === '' ? into.text : before);

function names(given: string | readonly string[]): Written {
  const text = (typeof given === 'string' ? [given] : given).map(quoted).join(',');
  return into => {
    into.text += text;
  };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`;

function members(given: Members | readonly Members[]): Written {
  return (into, before) => (/\bset\s*$/i.test(before) ? assign(given as Members, into) : insert(given, into));
}

function assign(given: Members, into: Writing): void {
  let separator = '';
  for (const [name, value] of Object.entries(given)) {
    into.text += `${separator}${quoted(name)}=`;
    into.value(value);
    separator = ',';
  }
}

function insert(given: Members | readonly Members[], into: Writing): void {
  const rows = Array.isArray(given) ? (given as readonly Members[]) : [given as Members];
  const columns = Object.keys(rows[0]!);
  into.text += `(${columns.map(quoted).join(',')})values`;
  rows.forEach((row, position) => {
    into.text += position === 0 ? '(' : ',(';
    columns.forEach((column, at) => {
      if (at > 0) into.text += ',';
      into.value(row[column]);
    });
    into.text += ')';
  });
}
