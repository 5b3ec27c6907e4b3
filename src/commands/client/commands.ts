// The commands for people: a group for each type, a verb for each operation, and `api` for everything else.
import { type Command, Option } from 'commander';
import type { Deployment } from '../../core/jsonapi/fields.ts';
import { endpoints } from '../../http/endpoints.ts';
import { CommandError } from '../command-error.ts';
import type { Resource } from '../remote/server.ts';
import { recordOf, tableOf } from './output.ts';
import { readData, requestOf } from './request.ts';
import { type Common, openPage, surroundings } from './surroundings.ts';
import { groupAliases, type Verb, verbOf } from './verbs.ts';

/** Every operation there is: which of them a server has is for it to say. */
const everything = { edition: 'self-hosted', release: '999912-1', profile: 'documented', publicUrl: '' } as Deployment;

const mostListed = 10_000;

export function registerClient(program: Command): void {
  const groups = new Map<string, Command>();
  for (const one of endpoints) {
    const verb = verbOf(one, everything);
    if (!verb) continue;
    const group = groups.get(verb.group) ?? registerGroup(program, verb.group);
    groups.set(verb.group, group);
    registerVerb(group, verb);
  }
  const access = groups.get('team-workspaces');
  const explain = endpoints.find(({ operation }) => operation === 'workspaces.explain');
  if (access && explain) registerVerb(access, verbOf(explain, everything)!);
  for (const [name, group] of groups) {
    const verbs = group.commands.map(one => one.aliases()[0] ?? one.name());
    group.description(`${name.replaceAll('-', ' ')}: ${verbs.slice(0, 5).join(', ')}${verbs.length > 5 ? ', …' : ''}`);
  }
  registerApi(program);
}

function registerGroup(program: Command, name: string): Command {
  const group = program
    .command(name)
    .description(`${name.replaceAll('-', ' ')} of a server`)
    .helpGroup('Of a server:');
  const alias = groupAliases[name];
  if (alias) group.alias(alias);
  return group;
}

const isKnown = (parent: Command, word: string) =>
  parent.commands.some(command => command.name() === word || command.aliases().includes(word));

const common = (command: Command) =>
  command
    .option('--server <address>', 'otherwise TERRANE_ADDRESS, or where you logged in last')
    .option('--organization <name>', 'otherwise TERRANE_ORGANIZATION, or the only one that you see')
    .option('--token-file <file>', 'otherwise TERRANE_TOKEN, or what login kept')
    .option('--json', 'print JSON, as wherever the output is no terminal')
    .option('--table', 'print a table, as on a terminal');

function registerVerb(group: Command, verb: Verb): void {
  if (isKnown(group, verb.name)) return;
  const command = group.command(verb.name).description(verb.summary);
  const isFree = (alias: string) => !endpoints.some(one => one.operation === `${verb.group}.${alias}`);
  for (const alias of verb.aliases.filter(isFree)) command.alias(alias);
  for (const place of verb.places) command.argument(`<${place.replace(/_(id|name)$/, '').replaceAll('_', '-')}>`);
  if (verb.rest) command.argument(`<${verb.rest.isTagged ? 'key=value' : verb.rest.type}...>`);
  for (const { flag, description, isTagged } of verb.questions)
    command.addOption(new Option(`--${flag} <${isTagged ? 'key=value...' : 'value'}>`, description));
  for (const { flag, form } of verb.members) command.option(`--${flag} <${form === 'one' ? 'name' : form}>`);
  if (verb.method !== 'GET') command.option('--data <json>', 'the whole data of the body, or @file');
  if (verb.isList) command.option('--limit <number>', 'how many at most', String(mostListed));
  if (verb.method === 'DELETE' && !verb.rest) command.option('--yes', 'really');
  if (verb.name.startsWith('show')) command.option('--web', "open the record's page in a browser");
  common(command).action(async (...given: unknown[]) => {
    const options = byFlag(command);
    const words = given.slice(0, command.registeredArguments.length).flat() as string[];
    await run(verb, { words, options }, options as Common & Choices);
  });
}

interface Choices {
  limit?: string;
  yes?: boolean;
  web?: boolean;
}

/** Options as they are written: `auto-apply`, not `autoApply`. */
function byFlag(command: Command): Record<string, unknown> {
  const named = command.options.map(option => [option.name(), command.getOptionValue(option.attributeName())] as const);
  return Object.fromEntries(named);
}

async function run(verb: Verb, said: Parameters<typeof requestOf>[1], options: Common & Choices): Promise<void> {
  if (verb.method === 'DELETE' && !verb.rest && !options.yes)
    throw new CommandError(`That deletes ${said.words.join(' ')}. Say --yes if it shall.`);
  const around = surroundings(options);
  const { method, path, body } = await requestOf(verb, said, around);
  if (verb.isList) return print(await firstOf(around.server.pages(path), Number(options.limit)), options);
  const record = await around.server.send(method, path, body);
  if (options.web && record) return openPage(around.server.address, record);
  print(record, options);
}

async function firstOf(pages: AsyncGenerator<{ records: Resource[] }>, most: number): Promise<Resource[]> {
  const all: Resource[] = [];
  for await (const { records } of pages) {
    all.push(...records);
    if (all.length >= most) break;
  }
  return all.slice(0, most);
}

function print(answer: Resource | Resource[] | undefined, { json, table }: Common): void {
  if (answer === undefined) return;
  const isTable = table || (!json && process.stdout.isTTY);
  const isRecord = !Array.isArray(answer) && answer.attributes !== undefined;
  if (!isTable || !(isRecord || Array.isArray(answer))) console.log(JSON.stringify(answer, null, 2));
  else console.log(Array.isArray(answer) ? tableOf(answer) : recordOf(answer));
}

/** Any request at all, with the answer as it comes. */
function registerApi(program: Command): void {
  const command = program
    .command('api')
    .argument('<method>')
    .argument('<path>', 'such as /workspaces/ws-6jrRyVDv1J8zQMB5; without /api/v2')
    .description('send any request to a server and print its answer')
    .option('--data <json>', 'the whole body, or @file')
    .helpGroup('Of a server:')
    .addHelpText('after', '\nExample:\n  $ terrane api GET /organizations/acme/entitlement-set');
  common(command).action(async (method: string, path: string, options: Common & { data?: string }) => {
    const { server } = surroundings(options);
    const address = path.replace(/^\/(api\/v2\/)?/, '');
    const body = options.data === undefined ? undefined : readData(options.data);
    const { status, document } = await server.ask(method.toUpperCase(), address, body);
    if (document !== undefined) console.log(JSON.stringify(document, null, 2));
    if (status >= 300)
      throw new CommandError(`The server answered ${status}.`, { 404: 3, 401: 4, 403: 4, 409: 5 }[status] ?? 1);
  });
}
