// An organization from an origin to a server: what is missing there is made, what differs is changed, nothing is removed.
import { CommandError } from '../command-error.ts';
import { RemoteError, type Server, UnreachableError } from '../remote/server.ts';
import { kinds, workspaceType } from './kinds/all.ts';
import type { Kind, Step } from './kinds/kind.ts';
import { linkWorkspace, writeWorkspace } from './kinds/workspaces.ts';
import { type Head, type Origin, type ServerOrigin, serverOrigin } from './origin.ts';
import { inParallel } from './parallel.ts';
import { organizationPath, type Target } from './place.ts';
import { changed, type MovedRecord } from './record.ts';
import { count, emptyReport, type Report, remark } from './report.ts';
import { type Which, writeStates } from './states.ts';

export interface ImportOptions {
  server: Server;
  organization: string;
  /** Of a new organization. */
  email: string;
  states: Which;
  keepsIds: boolean;
  isDry: boolean;
  parallel: number;
  onProgress: (done: number, total: number, what: string) => void;
}

interface Move {
  origin: Origin;
  /** The target as it was when it was first looked at. */
  present: ServerOrigin;
  presentHead: Head;
  target: Target;
  options: ImportOptions;
  report: Report;
}

const workspaceKind = { type: workspaceType, title: 'workspaces' };
// Ids that people write down; nobody writes down those of memberships and accesses.
const namedIds = ['workspaces', 'projects', 'teams', 'varsets', 'agent-pools', 'ssh-keys'];

export async function importOrganization(origin: Origin, options: ImportOptions): Promise<Report> {
  const started_ms = performance.now();
  const present = serverOrigin(options.server, options.organization, options.parallel);
  const report = emptyReport(origin.title, present.title, options.isDry);
  const target = targetOf(present, options);
  options.onProgress(0, 0, 'reading what is there');
  const head = await origin.head();
  await requireOrganization(target, options);
  const isThere = (await options.server.find(organizationPath(target))) !== undefined;
  const presentHead = isThere ? await present.head() : new Map();
  const move: Move = { origin, present, presentHead, target, options, report };
  for (const kind of kinds) await bringKind(move, kind, head.get(kind.type) ?? []);
  await bringWorkspaces(move);
  for (const kind of kinds) await linkKind(move, kind, head.get(kind.type) ?? []);
  for (const { title, count: many } of await origin.leftBehind())
    report.notBrought.push({
      kind: title,
      name: '',
      what: `${many} of them`,
      why: 'Terrane has nothing that holds them',
    });
  report.seconds = (performance.now() - started_ms) / 1000;
  report.requests.to = options.server.counts.requests;
  return report;
}

/** Where nothing is sent, what would be new has its name for an id. */
function targetOf({ place }: ServerOrigin, { isDry, keepsIds, server }: ImportOptions): Target {
  return {
    ...place,
    isDry,
    create: async (path, data, keptId) => {
      if (isDry) return { type: '', id: `new ${path}`, attributes: {} };
      const made = await (keepsIds && keptId
        ? server.send('POST', path, { data: { ...data, id: keptId } }).catch(withoutId(server, path, data))
        : server.send('POST', path, { data }));
      if (!made) throw new CommandError(`${path} was answered without a document`);
      return made;
    },
    change: async (method, path, data) => {
      if (!isDry) await server.send(method, path, data === undefined ? undefined : { data });
    },
  };
}

/** An id that is taken, or that only its own server would give, is not worth losing the record. */
function withoutId(server: Server, path: string, data: object) {
  return (error: unknown) => {
    if (error instanceof RemoteError && error.pointers.includes('/data/id')) return server.send('POST', path, { data });
    throw error;
  };
}

async function requireOrganization(
  target: Target,
  { server, organization, email, isDry }: ImportOptions,
): Promise<void> {
  if (isDry || (await server.find(organizationPath(target)))) return;
  const data = { type: 'organizations', attributes: { name: organization, email } };
  await server.send('POST', 'organizations', { data });
}

async function bringKind(move: Move, kind: Kind, records: readonly MovedRecord[]): Promise<void> {
  const { options, report, target } = move;
  const present = new Map(move.presentHead.get(kind.type)?.map(record => [record.name, record]));
  let done = 0;
  await inParallel(records, options.parallel, async record => {
    const had = present.get(record.name);
    const change = changed(record.content, had?.content);
    const note = noting(report, kind.title, record);
    await attempt(move, kind, record, had, async () => {
      if (had && Object.keys(change).length === 0) return 'unchanged';
      await kind.write(target, { record, present: had, change, note });
      return had ? 'changed' : 'made';
    });
    done += 1;
    options.onProgress(done, records.length, kind.title);
  });
}

async function linkKind(move: Move, kind: Kind, records: readonly MovedRecord[]): Promise<void> {
  if (!kind.link || move.options.isDry) return;
  const present = new Map(move.presentHead.get(kind.type)?.map(record => [record.name, record]));
  for (const record of records) {
    const step = {
      record,
      present: present.get(record.name),
      change: changed(record.content, present.get(record.name)?.content),
      note: () => undefined,
    };
    try {
      await kind.link(move.target, step);
    } catch (error) {
      move.report.failed.push({ kind: kind.title, name: record.name, what: 'what it names', why: reason(error) });
    }
  }
}

/** Page by page, so that an organization of any size fits; whom workspaces know among each other comes at the end. */
async function bringWorkspaces(move: Move): Promise<void> {
  const { origin, options } = move;
  let done = 0;
  const later: { record: MovedRecord; had: MovedRecord | undefined }[] = [];
  for await (const { records, total } of origin.workspaces()) {
    await inParallel(records, options.parallel, async record => {
      const had = await bringWorkspace(move, record);
      const { consumers, triggers } = record.content as { consumers: string[]; triggers: string[] };
      if (consumers.length + triggers.length > 0) later.push({ record: linksOf(record), had });
      done += 1;
      options.onProgress(done, total, workspaceKind.title);
    });
  }
  if (options.isDry) return;
  await inParallel(later, options.parallel, async ({ record, had }) => {
    try {
      const change = changed(record.content, had?.content);
      await linkWorkspace(move.target, { record, present: had, change, note: () => undefined });
    } catch (error) {
      const what = 'consumers and triggers';
      move.report.failed.push({ kind: workspaceKind.title, name: record.name, what, why: reason(error) });
    }
  });
}

/** What is kept of a workspace until all of them are there. */
function linksOf({ name, id, content }: MovedRecord): MovedRecord {
  const { consumers = [], triggers = [] } = content;
  return { name, id, content: { consumers, triggers }, missing: [] };
}

async function bringWorkspace(move: Move, record: MovedRecord): Promise<MovedRecord | undefined> {
  const { origin, present, target, options, report } = move;
  const id = target.directory.find(workspaceType, record.name);
  let had: MovedRecord | undefined;
  const note = noting(report, workspaceKind.title, record);
  await attempt(move, workspaceKind, record, undefined, async () => {
    had = id === undefined ? undefined : await present.workspace(id);
    const change = changed(record.content, had?.content);
    const isSame = had !== undefined && Object.keys(change).length === 0;
    if (!isSame) await writeWorkspace(target, { record, present: had, change, note });
    const states = await origin.states(record, options.states);
    const newId = target.directory.idOf(workspaceType, record.name);
    const brought = await writeStates(target, newId, states, had === undefined);
    report.states += brought;
    if (isSame) return 'unchanged';
    return had ? 'changed' : 'made';
  });
  return had && linksOf(had);
}

/** Remarks what of a record nobody can read; what turns out while it is written is remarked by what this gives. */
function noting(report: Report, title: string, { name, missing }: MovedRecord): Step['note'] {
  remark(report, title, name, missing);
  return more => remark(report, title, name, [more]);
}

/** A record that fails does not keep the others back; a server that is away or refuses the token does. */
async function attempt(
  { report, target }: Move,
  { type, title }: Pick<Kind, 'type' | 'title'>,
  record: MovedRecord,
  had: MovedRecord | undefined,
  work: () => Promise<'made' | 'changed' | 'unchanged'>,
): Promise<void> {
  try {
    const outcome = await work();
    count(report, title, outcome);
    const id = had?.id ?? target.directory.find(type, record.name);
    if (!target.isDry && id && id !== record.id && namedIds.includes(type))
      report.ids.push({ type, name: record.name, from: record.id, to: id });
  } catch (error) {
    if (endsAll(error)) throw error;
    count(report, title, 'failed');
    report.failed.push({ kind: title, name: record.name, what: 'all of it or a part', why: reason(error) });
  }
}

function endsAll(error: unknown): boolean {
  if (!(error instanceof CommandError) || error instanceof UnreachableError) return true;
  return error instanceof RemoteError && error.status === 401;
}

const reason = (error: unknown) => (error as Error).message;
