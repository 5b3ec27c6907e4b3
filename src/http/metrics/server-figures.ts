/** What this process says of itself: its lanes to the database, and the rows that it keeps. */
import type { LaneFigures } from '../../core/store/lane.ts';
import type { StoreFigures } from '../../core/store/store.ts';

export interface ServerFigure {
  name: string;
  kind: 'counter' | 'gauge';
  meaning: string;
  alarm: string;
  labels?: readonly string[];
  read: (figures: StoreFigures) => readonly ({ value: number } & Record<string, string | number>)[];
}

const ofLanes =
  (value: (lane: LaneFigures) => number): ServerFigure['read'] =>
  ({ lanes }) =>
    Object.entries(lanes).map(([lane, figures]) => ({ lane, value: value(figures) }));

const lane = { labels: ['lane'] };

export const serverFigures: readonly ServerFigure[] = [
  {
    ...{ name: 'lane_connections', kind: 'gauge', ...lane },
    meaning:
      'Connections to the database that are open, by lane: `read`, `search`, `write`, `identify`, `health`, `watch`',
    alarm: 'nothing',
    read: ofLanes(({ connections }) => connections),
  },
  {
    ...{ name: 'lane_connections_limit', kind: 'gauge', ...lane },
    meaning: 'The most that a lane opens',
    alarm: 'nothing',
    read: ofLanes(({ size }) => size),
  },
  {
    ...{ name: 'lane_under_way', kind: 'gauge', ...lane },
    meaning: 'Statements, and in `write` transactions, that are under way',
    alarm: '`write` at its limit of connections for a minute',
    read: ofLanes(({ underWay }) => underWay),
  },
  {
    ...{ name: 'lane_waiting', kind: 'gauge', ...lane },
    meaning: 'Those that wait for a connection',
    alarm: 'over 100: raise `TERRANE_CONNECTIONS`, or look for slow statements',
    read: ofLanes(({ waiting }) => waiting),
  },
  {
    ...{ name: 'lane_waits_total', kind: 'counter', ...lane },
    meaning: 'How many have waited',
    alarm: 'nothing',
    read: ofLanes(({ waits }) => waits),
  },
  {
    ...{ name: 'lane_wait_seconds_total', kind: 'counter', ...lane },
    meaning: 'How long they waited together',
    alarm: 'by the waits, over 0.5 each',
    read: ofLanes(({ waited_ms }) => waited_ms / 1000),
  },
  {
    ...{ name: 'lane_refusals_total', kind: 'counter', ...lane },
    meaning: 'Those that waited too long, or in vain: their callers got 503, or were gone',
    alarm: 'any growth over minutes',
    read: ofLanes(({ refusals }) => refusals),
  },
  {
    ...{ name: 'lane_works_total', kind: 'counter', ...lane },
    meaning: 'Statements, and in `write` transactions, that are done',
    alarm: 'nothing',
    read: ofLanes(({ works }) => works),
  },
  {
    ...{ name: 'lane_work_seconds_total', kind: 'counter', ...lane },
    meaning: 'How long they took together, without the waiting',
    alarm: 'by the works, several times what it was: the database is slow',
    read: ofLanes(({ worked_ms }) => worked_ms / 1000),
  },
  {
    ...{ name: 'statements_total', kind: 'counter', ...lane },
    meaning: 'Statements that were sent, `begin` and `commit` included',
    alarm: 'nothing',
    read: ofLanes(({ statements }) => statements),
  },
  {
    name: 'kept_rows',
    kind: 'gauge',
    meaning: 'Workspaces that are kept in memory',
    alarm: 'nothing',
    read: ({ kept }) => [{ value: kept.rows }],
  },
  {
    name: 'kept_bytes',
    kind: 'gauge',
    meaning: 'About what they take',
    alarm: 'nothing: `TERRANE_KEPT_MIB` bounds it',
    read: ({ kept }) => [{ value: kept.bytes }],
  },
  {
    name: 'kept_lookups_total',
    kind: 'counter',
    meaning: 'How often a row was asked for, by result: `hit` where it was kept and had not changed',
    alarm: 'hits under half of all: raise `TERRANE_KEPT_WORKSPACES`',
    labels: ['result'],
    read: ({ kept }) => [
      { result: 'hit', value: kept.hits },
      { result: 'miss', value: kept.misses },
    ],
  },
];
