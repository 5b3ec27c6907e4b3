// A verb and what was said after it, as the request that it is.
import { readFileSync } from 'node:fs';
import { CommandError } from '../command-error.ts';
import type { Server } from '../remote/server.ts';
import { usageCode } from './exit-codes.ts';
import { idOf, typeOfPlace } from './names.ts';
import type { Member, Verb } from './verbs.ts';

export interface Said {
  /** The words for the places, then those of a list. */
  words: readonly string[];
  /** By the flag, without its dashes. */
  options: Readonly<Record<string, unknown>>;
}

export interface Request {
  method: string;
  path: string;
  body: unknown;
}

export interface Surroundings {
  server: Server;
  organization: () => Promise<string>;
}

export async function requestOf(verb: Verb, said: Said, around: Surroundings): Promise<Request> {
  const named = said.words.slice(0, verb.places.length);
  const rest = said.words.slice(verb.places.length);
  let path = verb.path;
  if (verb.needsOrganization)
    path = path.replace(':organization_name', encodeURIComponent(await around.organization()));
  for (const [position, place] of verb.places.entries()) {
    const id = await idOf(around.server, around.organization, typeOfPlace(place), named[position]!);
    path = path.replace(`:${place}`, encodeURIComponent(id));
  }
  const query = await queryOf(verb, said, around);
  const body = verb.method === 'GET' ? undefined : await bodyOf(verb, said, rest, around);
  return { method: verb.method, path: path.slice(1) + (query ? `?${query}` : ''), body };
}

/** Of lists that stand beside the organizations: it is the one that everything else means. */
const organizationFilter = 'filter[organization][name]';

async function queryOf(verb: Verb, { options }: Said, around: Surroundings): Promise<string> {
  const pairs: [string, string][] = [];
  for (const { flag, parameter, isTagged } of verb.questions) {
    const given = options[flag] ?? (parameter === organizationFilter ? await around.organization() : undefined);
    if (given === undefined) continue;
    if (isTagged) pairs.push(...tagged(parameter, given as string[]));
    else pairs.push([parameter, await meant(parameter, String(given), around)]);
  }
  return new URLSearchParams(pairs).toString();
}

/** `filter[project][id]` takes the project's name, too. */
async function meant(parameter: string, given: string, { server, organization }: Surroundings): Promise<string> {
  const type = /^filter\[(\w+)\]\[id\]$/.exec(parameter)?.[1];
  return type ? idOf(server, organization, typeOfPlace(`${type}_id`), given) : given;
}

function tagged(parameter: string, given: string[]): [string, string][] {
  return given.flatMap((text, position) => {
    const { key, value } = keyAndValue(text);
    const at = (member: string) => `${parameter}[${position}][${member}]`;
    return [[at('key'), key], ...(value === undefined ? [] : [[at('value'), value]])] as [string, string][];
  });
}

function keyAndValue(text: string): { key: string; value?: string } {
  const at = text.indexOf('=');
  return at < 0 ? { key: text } : { key: text.slice(0, at), value: text.slice(at + 1) };
}

async function bodyOf(verb: Verb, { options }: Said, rest: readonly string[], around: Surroundings): Promise<unknown> {
  if (options['data'] !== undefined) return { data: readData(String(options['data'])) };
  if (verb.rest) return { data: await listOf(verb.rest, rest, around) };
  const given = verb.members.filter(({ flag }) => options[flag] !== undefined);
  const part = async (home: Member['home']) =>
    Object.fromEntries(
      await Promise.all(
        given
          .filter(member => member.home === home)
          .map(async member => [member.name, await memberValue(member, String(options[member.flag]), around)] as const),
      ),
    );
  if (verb.bodyType === null) return verb.members.length > 0 ? part('body') : undefined;
  const [attributes, relationships] = [await part('attributes'), await part('relationships')];
  return { data: { type: verb.bodyType, attributes, ...(Object.keys(relationships).length > 0 && { relationships }) } };
}

async function listOf(
  { type, isTagged }: { type: string; isTagged: boolean },
  words: readonly string[],
  { server, organization }: Surroundings,
): Promise<unknown[]> {
  if (isTagged) return words.map(text => ({ type, attributes: keyAndValue(text) }));
  if (type === 'tags') return words.map(name => ({ type, attributes: { name } }));
  return Promise.all(words.map(async word => ({ type, id: await idOf(server, organization, type, word) })));
}

/** The value of an option; `null` empties what may be empty. */
async function memberValue(member: Member, text: string, { server, organization }: Surroundings): Promise<unknown> {
  const identifier = async (word: string) => ({
    type: member.type!,
    id: await idOf(server, organization, member.type, word),
  });
  switch (member.form) {
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new CommandError(`--${member.flag} is true or false, not ${JSON.stringify(text)}.`, usageCode);
    case 'number':
      if (text === 'null') return null;
      if (/^-?\d{1,15}$/.test(text)) return Number(text);
      throw new CommandError(`--${member.flag} is a whole number, not ${JSON.stringify(text)}.`, usageCode);
    case 'list':
      return text === '' ? [] : text.split(',').map(one => one.trim());
    case 'json':
      return parsed(text, `--${member.flag}`);
    case 'one':
      return { data: text === 'null' ? null : await identifier(text) };
    case 'many':
      return { data: await Promise.all(text.split(',').map(identifier)) };
    default:
      return text === 'null' ? null : text;
  }
}

/** JSON, or the name of a file that holds it, after an @. */
export function readData(text: string): unknown {
  if (!text.startsWith('@')) return parsed(text, '--data');
  try {
    return parsed(readFileSync(text === '@-' ? 0 : text.slice(1), 'utf8'), text.slice(1));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${text.slice(1)} cannot be read (${(error as NodeJS.ErrnoException).code}).`, usageCode);
  }
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${where} is not JSON: ${(error as Error).message}.`, usageCode);
  }
}
