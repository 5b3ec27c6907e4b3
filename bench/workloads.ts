/** What is asked of the servers: each workload makes requests that differ from one to the next. */
import { type Database, organization, scratch } from './databases.ts';
import { ask, type Request, type Target } from './load.ts';

export interface Workload {
  name: string;
  /** Whether the baseline answers it too, in the same bytes. */
  hasBaseline?: true;
  /** Whether its latency may at most double from the smallest to the largest organization. */
  isScaled?: true;
  /** At most so many requests of it are under way at once. */
  connections?: number;
  /** Another workload at the same size, than which its latency may be twice as long at most. */
  against?: string;
  next: () => Request;
}

const api = '/api/v2';
const list = `${api}/organizations/${organization}/workspaces`;

/** What a database holds that requests can name. */
export interface Samples {
  workspaces: { id: string; name: string }[];
  teams: string[];
}

/** Five hundred workspaces from pages all over the list, and the teams. */
export async function sample(target: Target, { size }: Database): Promise<Samples> {
  const read = async (path: string) => JSON.parse((await ask(target, { method: 'GET', path })).body).data;
  const pages = Math.min(5, Math.ceil(size / 100));
  const workspaces = [];
  for (let page = 0; page < pages; page += 1) {
    const number = 1 + Math.floor((page * size) / 100 / pages);
    workspaces.push(...(await read(`${list}?page[size]=100&page[number]=${number}`)));
  }
  const teams = await read(`${api}/organizations/${organization}/teams?page[size]=100`);
  return {
    workspaces: workspaces.map(({ id, attributes }) => ({ id, name: attributes.name })),
    teams: teams.map(({ id }: { id: string }) => id),
  };
}

const get = (path: string): Request => ({ method: 'GET', path });

/** Deterministic: every variant of a workload asks the same sequence. */
function rotating<Value>(values: readonly Value[], request: (value: Value) => Request): () => Request {
  if (values.length === 0) throw new Error('There is nothing to ask for.');
  let position = 0;
  return () => {
    position = (position + 37) % values.length;
    return request(values[position]!);
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, position) => position + 1);
const tagged = (one: string, other: string) => {
  const [[key, value], [secondKey, secondValue]] = [one.split('='), other.split('=')];
  return get(
    `${list}?filter[tagged][0][key]=${key}&filter[tagged][0][value]=${value}` +
      `&filter[tagged][1][key]=${secondKey}&filter[tagged][1][value]=${secondValue}`,
  );
};

/** One caller's searches that must be counted take turns: more of them at once would measure the wait for one's own turn. */
const uncounted = 4;

/** A condition that nobody has asked for before and that changes nothing: what is kept of a search does not serve it. */
function unheard(request: Request): Request {
  asked += 1;
  const separator = request.path.includes('?') ? '&' : '?';
  return { ...request, path: `${request.path}${separator}search[exclude-tags]=nobody-${process.pid}-${asked}` };
}
let asked = 0;

/** What most people ask most often, and once more as if something had changed since anybody asked it. */
function memberWorkloads({ members }: Database): Workload[] {
  const page = get(`${list}?page[size]=20`);
  const kinds: [string, () => Request, Pick<Workload, 'connections'>?][] = [
    ['list of 20', () => page],
    ['list of 20, new', () => unheard(page), { connections: uncounted }],
    ['by latest change', () => get(`${list}?page[size]=20&sort=-latest-change-at`)],
    ['search, 1 in 16', () => get(`${list}?search[name]=LEDGER`)],
    ['search, 1 in 16, new', () => unheard(get(`${list}?search[name]=LEDGER`)), { connections: uncounted }],
    ['a tag, 1 in 14', () => get(`${list}?search[tags]=gpu`)],
  ];
  const callers = [{ name: 'owner', token: undefined }, ...members];
  return kinds.flatMap(([kind, request, limits]) =>
    callers.map(({ name, token }) => ({
      name: `${kind}, ${name}`,
      ...limits,
      ...(token && { against: `${kind}, owner` }),
      next: () => ({ ...request(), ...(token && { token }) }),
    })),
  );
}

export function readWorkloads(samples: Samples, database: Database): Workload[] {
  const { size } = database;
  const pages = numbers(Math.min(10, Math.ceil(size / 100)));
  const waves = numbers(Math.ceil(size / 20));
  const show = rotating(samples.workspaces, ({ id }) => get(`${api}/workspaces/${id}`));
  return [
    { name: 'show by id', hasBaseline: true, isScaled: true, next: show },
    { name: 'show by name', isScaled: true, next: rotating(samples.workspaces, ({ name }) => get(`${list}/${name}`)) },
    {
      name: 'list of 20',
      hasBaseline: true,
      isScaled: true,
      next: rotating(pages, page => get(`${list}?page[number]=${page}&page[size]=20`)),
    },
    { name: 'list of 100', isScaled: true, next: () => get(`${list}?page[number]=1&page[size]=100`) },
    {
      name: 'search, one match',
      isScaled: true,
      next: rotating(samples.workspaces, ({ name }) => get(`${list}?search[name]=${name.slice(-6)}`)),
    },
    {
      // Every part of it is common; only the whole is rare.
      name: 'search, one match of common parts',
      isScaled: true,
      next: rotating(samples.workspaces, ({ name }) => get(`${list}?search[name]=${name.slice(-18)}`)),
    },
    { name: 'search, 1 in 16', isScaled: true, next: () => get(`${list}?search[name]=LEDGER`) },
    { name: 'search, two letters', isScaled: true, next: () => get(`${list}?search[name]=ed`) },
    {
      name: 'two tags, few matches',
      isScaled: true,
      next: rotating(waves, wave => tagged(`wave=${wave}`, 'env=production')),
    },
    { name: 'two tags, 1 in 24', isScaled: true, next: () => tagged('env=production', 'region=eu-west') },
    { name: 'team show', hasBaseline: true, next: rotating(samples.teams, id => get(`${api}/teams/${id}`)) },
    { name: 'team list', hasBaseline: true, next: () => get(`${api}/organizations/${organization}/teams`) },
    {
      name: 'search, 1 in 16, new',
      isScaled: true,
      connections: uncounted,
      next: () => unheard(get(`${list}?search[name]=LEDGER`)),
    },
    ...memberWorkloads(database),
  ];
}

/** Run after the reads: they change what the reads would measure. Creations go to an organization of their own. */
export function writeWorkloads(samples: Samples): Workload[] {
  const run = Date.now().toString(36);
  let count = 0;
  const body = (attributes: object) => JSON.stringify({ data: { type: 'workspaces', attributes } });
  return [
    {
      name: 'update',
      next: rotating(samples.workspaces, ({ id }) => {
        count += 1;
        return { method: 'PATCH', path: `${api}/workspaces/${id}`, body: body({ description: `change ${count}` }) };
      }),
    },
    {
      name: 'create',
      next: () => {
        count += 1;
        const path = `${api}/organizations/${scratch}/workspaces`;
        return { method: 'POST', path, body: body({ name: `made-${run}-${count}` }) };
      },
    },
  ];
}

/** Of everything a little, reads mostly, as clients do. */
export function mixed(workloads: readonly Workload[]): () => Request {
  const weights: Record<string, number> = { 'show by id': 8, 'show by name': 8, 'list of 20': 2, update: 3, create: 1 };
  const wheel = workloads.flatMap(workload => Array<Workload>(weights[workload.name] ?? 1).fill(workload));
  let position = 0;
  return () => {
    position = (position + 1) % wheel.length;
    return wheel[position]!.next();
  };
}
