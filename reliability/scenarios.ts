/** What may be asked of a record at once, and the rules of §3 by which each may be answered. */
import type { Client, Document } from './client.ts';
import type { Model, Step } from './linearizable.ts';

export interface Action {
  what: string;
  by: string;
}

export interface Stage {
  organization: string;
  client: Client;
}

export interface Ask {
  what: string;
  method: string;
  path: string;
  body?: unknown;
  /** Of a 200, what the model knows. */
  shows?: (data: Document) => unknown;
}

export interface Prepared {
  asks: readonly Ask[];
  // biome-ignore lint/suspicious/noExplicitAny: each scenario has a state of its own.
  model: Model<any, Action>;
}

interface Scenario {
  name: string;
  prepare: (stage: Stage, name: string) => Promise<Prepared>;
}

type Next<State> = Model<State, Action>['next'];

/** By action: the state behind one that was answered so, or null where it cannot be. 503 to somebody who waited for too long changes nothing. */
function model<State>(
  initial: State,
  rules: Record<string, (state: State, step: Step<Action>) => State | null>,
): Model<State, Action> {
  const next: Next<State> = (state, step) => {
    if (step.status === 503) return [state];
    const after = rules[step.action.what]!(state, step);
    return after === null ? [] : [after];
  };
  return { initial, next };
}

const make = async ({ client, organization }: Stage, name: string): Promise<string> =>
  (await client.make(`organizations/${organization}/workspaces`, 'workspaces', { name })).id;

const body = (attributes: object, relationships?: object) => ({
  data: { type: 'workspaces', attributes, ...(relationships && { relationships }) },
});

const lockAsks = (id: string): Ask[] => [
  { what: 'lock', method: 'POST', path: `workspaces/${id}/actions/lock`, body: { reason: 'mine' } },
  { what: 'unlock', method: 'POST', path: `workspaces/${id}/actions/unlock` },
  { what: 'force-unlock', method: 'POST', path: `workspaces/${id}/actions/force-unlock` },
];

/** A workspace is gone, free, or somebody's. */
type Lock = 'gone' | 'free' | { of: string };

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const gone = <State>(state: State, step: Step<Action>) => (step.status === 404 ? state : null);

const lockRules: Record<string, (state: Lock, step: Step<Action>) => Lock | null> = {
  lock: (state, step) => {
    if (state === 'gone') return gone(state, step);
    if (state === 'free') return step.status === 200 ? { of: step.action.by } : null;
    return step.status === 409 ? state : null;
  },
  unlock: (state, step) => {
    if (state === 'gone') return gone(state, step);
    const isMine = state !== 'free' && state.of === step.action.by;
    if (isMine) return step.status === 200 ? 'free' : null;
    return step.status === 409 ? state : null;
  },
  'force-unlock': (state, step) => {
    if (state === 'gone') return gone(state, step);
    if (state === 'free') return step.status === 409 ? state : null;
    return step.status === 200 ? 'free' : null;
  },
  show: (state, step) => {
    if (state === 'gone') return gone(state, step);
    return step.status === 200 && step.shown === (state !== 'free') ? state : null;
  },
  'safe-delete': (state, step) => {
    if (state === 'gone') return gone(state, step);
    return step.status === 204 ? 'gone' : null;
  },
};

const isLocked = (data: Document) => data.attributes.locked;

export const scenarios: readonly Scenario[] = [
  {
    name: 'the lock',
    prepare: async (stage, name) => {
      const id = await make(stage, name);
      const show: Ask = { what: 'show', method: 'GET', path: `workspaces/${id}`, shows: isLocked };
      return { asks: [...lockAsks(id), ...lockAsks(id).slice(0, 2), show], model: model<Lock>('free', lockRules) };
    },
  },
  {
    name: 'creations of one name',
    prepare: async ({ organization }, name) => {
      const list = `organizations/${organization}/workspaces`;
      const create: Ask = { what: 'create', method: 'POST', path: list, body: body({ name }) };
      const named = `${list}/${name}`;
      return {
        asks: [
          create,
          create,
          { what: 'delete', method: 'DELETE', path: named },
          { what: 'show', method: 'GET', path: named },
        ],
        model: model<'absent' | 'there'>('absent', {
          create: (state, { status }) => {
            if (state === 'absent') return status === 201 ? 'there' : null;
            return status === 422 ? state : null;
          },
          delete: (state, { status }) => {
            if (state === 'there') return status === 204 ? 'absent' : null;
            return status === 404 ? state : null;
          },
          show: (state, { status }) => (status === (state === 'there' ? 200 : 404) ? state : null),
        }),
      };
    },
  },
  {
    name: 'safe delete and lock',
    prepare: async (stage, name) => {
      const id = await make(stage, name);
      const show: Ask = { what: 'show', method: 'GET', path: `workspaces/${id}`, shows: isLocked };
      const remove: Ask = { what: 'safe-delete', method: 'POST', path: `workspaces/${id}/actions/safe-delete` };
      return { asks: [...lockAsks(id).slice(0, 2), remove, show], model: model<Lock>('free', lockRules) };
    },
  },
  { name: 'move and delete', prepare: prepareMoves },
  { name: 'delete and tags', prepare: prepareTags },
];

/** Which project the workspace is in, null where it is gone; and which of the two projects there are. */
interface Place {
  in: string | null;
  there: readonly string[];
}

async function prepareMoves(stage: Stage, name: string): Promise<Prepared> {
  const { client, organization } = stage;
  const ids: Record<string, string> = {};
  for (const one of ['first', 'second']) {
    ids[one] = (await client.make(`organizations/${organization}/projects`, 'projects', { name: `${name}-${one}` })).id;
  }
  const project = (which: string) => ({ project: { data: { type: 'projects', id: ids[which] } } });
  const { id } = await client.make(
    `organizations/${organization}/workspaces`,
    'workspaces',
    { name },
    project('first'),
  );
  const nameOf = (data: Document) => Object.keys(ids).find(which => ids[which] === data.relationships.project.data.id);
  const path = `workspaces/${id}`;
  const move = (to: string): Ask => ({
    what: `move to ${to}`,
    method: 'PATCH',
    path,
    body: body({}, project(to)),
    shows: nameOf,
  });
  const abolish = (which: string): Ask => ({
    what: `delete ${which}`,
    method: 'DELETE',
    path: `projects/${ids[which]}`,
  });
  const moved =
    (to: string) =>
    (state: Place, { status, shown }: Step<Action>) => {
      if (state.in === null) return status === 404 ? state : null;
      if (!state.there.includes(to)) return status >= 400 && status < 500 ? state : null;
      return status === 200 && shown === to ? { ...state, in: to } : null;
    };
  const abolished =
    (which: string) =>
    (state: Place, { status }: Step<Action>) => {
      if (!state.there.includes(which)) return status === 404 ? state : null;
      if (state.in === which) return status === 422 ? state : null;
      return status === 204 ? { ...state, there: state.there.filter(one => one !== which) } : null;
    };
  return {
    asks: [
      ...[move('first'), move('second'), abolish('first'), abolish('second')],
      { what: 'delete', method: 'DELETE', path },
      { what: 'show', method: 'GET', path, shows: nameOf },
    ],
    model: model<Place>(
      { in: 'first', there: ['first', 'second'] },
      {
        'move to first': moved('first'),
        'move to second': moved('second'),
        'delete first': abolished('first'),
        'delete second': abolished('second'),
        delete: (state, step) => {
          if (state.in === null) return gone(state, step);
          return step.status === 204 ? { ...state, in: null } : null;
        },
        show: (state, step) => {
          if (state.in === null) return gone(state, step);
          return step.status === 200 && step.shown === state.in ? state : null;
        },
      },
    ),
  };
}

/** The tags of a workspace by their keys. */
type Tags = Record<string, string> | 'gone';

async function prepareTags(stage: Stage, name: string): Promise<Prepared> {
  const id = await make(stage, name);
  const path = `workspaces/${id}/tag-bindings`;
  const bindings = (tags: Record<string, string>) => ({
    data: Object.entries(tags).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
  });
  const sorted = (tags: Record<string, string>) => Object.fromEntries(Object.entries(tags).sort());
  const [add, replace] = [{ one: '1' }, { two: '2' }];
  const shows = (data: Document[]) =>
    sorted(Object.fromEntries(data.map(({ attributes }) => [attributes.key, attributes.value])));
  return {
    asks: [
      { what: 'add', method: 'PATCH', path, body: bindings(add) },
      {
        what: 'replace',
        method: 'PATCH',
        path: `workspaces/${id}/relationships/tag-bindings`,
        body: bindings(replace),
      },
      { what: 'delete', method: 'DELETE', path: `workspaces/${id}` },
      { what: 'show', method: 'GET', path, shows },
    ],
    model: model<Tags>(
      {},
      {
        add: (state, step) => {
          if (state === 'gone') return gone(state, step);
          return step.status === 200 ? sorted({ ...state, ...add }) : null;
        },
        replace: (state, step) => {
          if (state === 'gone') return gone(state, step);
          return step.status === 204 ? replace : null;
        },
        delete: (state, step) => {
          if (state === 'gone') return gone(state, step);
          return step.status === 204 ? 'gone' : null;
        },
        show: (state, step) => {
          if (state === 'gone') return gone(state, step);
          return step.status === 200 && isSame(step.shown, state) ? state : null;
        },
      },
    ),
  };
}
