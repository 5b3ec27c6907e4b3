// Where an organization is read from: a server, or a folder that was exported before.
import type { Server } from '../remote/server.ts';
import { elsewhere, kinds, workspaceType } from './kinds/all.ts';
import { readWorkspace } from './kinds/workspaces.ts';
import { inParallel } from './parallel.ts';
import { Directory, organizationPath, type Place } from './place.ts';
import type { MovedRecord } from './record.ts';
import { readStates, type State, type Which } from './states.ts';

/** The records of every kind but workspaces, by type. */
export type Head = ReadonlyMap<string, readonly MovedRecord[]>;

export interface Origin {
  /** For people. */
  title: string;
  head: () => Promise<Head>;
  /** To be asked after `head`. */
  workspaces: () => AsyncGenerator<{ records: MovedRecord[]; total: number }>;
  states: (workspace: MovedRecord, which: Which) => Promise<State[]>;
  /** What it has that nothing here can hold. */
  leftBehind: () => Promise<{ title: string; count: number }[]>;
}

export interface ServerOrigin extends Origin {
  place: Place;
  /** One workspace by its id, with everything that it says. */
  workspace: (id: string) => Promise<MovedRecord | undefined>;
}

export function serverOrigin(server: Server, organization: string, parallel: number): ServerOrigin {
  const place: Place = { server, organization, directory: new Directory() };
  const workspacesPath = organizationPath(place, '/workspaces?sort=name');
  return {
    place,
    title: `${organization} on ${server.address}`,
    head: async () => {
      // Records of all kinds name workspaces, and may only by their ids.
      for await (const { records } of server.pages(workspacesPath))
        for (const { id, attributes } of records) place.directory.learn(workspaceType, id, String(attributes['name']));
      const head = new Map<string, readonly MovedRecord[]>();
      for (const kind of inReadingOrder()) head.set(kind.type, await kind.read(place));
      return head;
    },
    workspaces: async function* () {
      for await (const { records, total } of server.pages(workspacesPath))
        yield { records: await inParallel(records, parallel, document => readWorkspace(place, document)), total };
    },
    workspace: async id => {
      const document = await server.find(`workspaces/${id}`);
      return document && readWorkspace(place, document);
    },
    states: (workspace, which) => readStates(place, workspace, which),
    leftBehind: async () => {
      const counts = await Promise.all(
        elsewhere.map(async ({ path, title }) => ({ title, count: await countOf(place, path) })),
      );
      return counts.filter(({ count }) => count > 0);
    },
  };
}

/** Names are learned by reading: pools are read again once the projects that they name are known. */
function inReadingOrder() {
  return [...kinds, kinds[0]!];
}

async function countOf(place: Place, path: string): Promise<number> {
  const { status, document } = await place.server.ask('GET', organizationPath(place, `/${path}?page%5Bsize%5D=1`));
  const records = Array.isArray(document?.data) ? document.data.length : 0;
  return status === 200 ? (document?.meta?.pagination?.['total-count'] ?? records) : 0;
}
