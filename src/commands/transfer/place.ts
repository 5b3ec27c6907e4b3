// One organization on one server, with what its ids are called. The target's writes may be counted instead of sent.
import type { Attribute } from '../../core/jsonapi/fields.ts';
import type { AnyResource } from '../../core/jsonapi/resource.ts';
import { CommandError } from '../command-error.ts';
import type { Identifier, Resource, Server } from '../remote/server.ts';
import type { Content, Json } from './record.ts';

/** Names of ids and ids of names, by type. */
export class Directory {
  private readonly names = new Map<string, string>();
  private readonly ids = new Map<string, string>();

  learn(type: string, id: string, name: string): void {
    this.names.set(`${type} ${id}`, name);
    this.ids.set(`${type} ${name}`, id);
  }

  nameOf(type: string, id: string): string | undefined {
    return this.names.get(`${type} ${id}`);
  }

  find(type: string, name: string): string | undefined {
    return this.ids.get(`${type} ${name}`);
  }

  namesOf(type: string): string[] {
    return [...this.ids.keys()].flatMap(key => (key.startsWith(`${type} `) ? key.slice(type.length + 1) : []));
  }

  /** Throws CommandError where there is no such record. */
  idOf(type: string, name: string): string {
    const id = this.find(type, name);
    if (id === undefined) throw new CommandError(`names ${type} "${name}", which is not there`);
    return id;
  }
}

export interface Place {
  server: Server;
  organization: string;
  directory: Directory;
}

export interface Target extends Place {
  /** Sends a document and gives the new record; `keptId` is the id that it had, where it may keep it. */
  create: (path: string, data: object, keptId?: string) => Promise<Resource>;
  /** Sends a change of what is there. */
  change: (method: string, path: string, data?: unknown) => Promise<void>;
  /** Where nothing is sent. */
  isDry: boolean;
}

export const organizationPath = ({ organization }: Place, rest = '') =>
  `organizations/${encodeURIComponent(organization)}${rest}`;

/** The attributes that a body may give, as a document has them. What the document lacks is left out. */
export function attributesOf(record: Resource, resource: AnyResource, without: readonly string[] = []): Content {
  const fields = Object.entries<Attribute>(resource.attributes);
  const writable = fields.filter(([name, field]) => field.write && !without.includes(name));
  const given = writable.map(([name]) => [name, record.attributes[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Content;
}

/** The name of the one record that a relationship names; null where it names none, or none that is known. */
export function named({ directory }: Place, record: Resource, relationship: string): string | null {
  const data = record.relationships?.[relationship]?.data as Identifier | null | undefined;
  return (data && directory.nameOf(data.type, data.id)) ?? null;
}

/** The names of all records that a relationship names, sorted. */
export function allNamed({ directory }: Place, record: Resource, relationship: string): string[] {
  const data = (record.relationships?.[relationship]?.data ?? []) as Identifier[];
  return data.flatMap(({ type, id }) => directory.nameOf(type, id) ?? []).sort();
}

export const reference = ({ directory }: Place, type: string, name: string) => ({
  data: { type, id: directory.idOf(type, name) },
});

export const references = ({ directory }: Place, type: string, names: Json | undefined) => ({
  data: ((names ?? []) as string[]).map(name => ({ type, id: directory.idOf(type, name) })),
});

/** The key-value tags made on a record itself, by key. */
export async function tagBindings({ server }: Place, path: string): Promise<Content> {
  const bindings = await server.list(`${path}/tag-bindings`);
  return Object.fromEntries(bindings.map(({ attributes }) => [attributes['key'], attributes['value'] ?? '']));
}

export const bindingsBody = (bindings: Json | undefined) => ({
  data: Object.entries((bindings ?? {}) as Content).map(([key, value]) => ({
    type: 'tag-bindings',
    attributes: { key, value },
  })),
});
