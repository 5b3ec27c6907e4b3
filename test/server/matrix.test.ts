/** The access matrix (§5): every endpoint × every caller → status, in a golden file. `UPDATE_GOLDEN=1` writes it anew. */
import { beforeAll, describe, expect, test } from 'vitest';
import { pathWithSignature, signedPath } from '../../src/core/blobs/signed-path.ts';
import type { AnyEndpoint } from '../../src/core/jsonapi/endpoint.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { type Answer, pepper, useApp } from '../app.ts';
import { reachable } from '../builders/receiver.ts';
import { buildWorld, type Caller, type CallerName, callerNames, cast, type World } from '../cast/world.ts';
import { expectNothingWithoutEvent, expectOneEvent } from '../nets/audit-events.ts';
import { expectGolden } from '../nets/golden.ts';
import { rowCounter } from '../nets/rows.ts';
import { withEach } from '../running/at-once.ts';
import { auditRows, connectionRows } from './matrix-rows/connections.ts';
import { explanationRows } from './matrix-rows/explanations.ts';
import { type Asked, type Fresh, freshTargets, type Row, type Rows } from './matrix-rows/fresh.ts';
import { notificationRows } from './matrix-rows/notifications.ts';
import { runTaskRows } from './matrix-rows/run-tasks.ts';
import { configurationVersionRows, runPartRows, runRows, runTriggerRows } from './matrix-rows/runs.ts';
import { loginRows, passwordRows, secondFactorRows, sessionRows, signInProviderRows } from './matrix-rows/sessions.ts';
import { stateRows } from './matrix-rows/states.ts';
import {
  agentPoolRows,
  engineVersionRows,
  membershipRows,
  organizationRows,
  projectRows,
  reservedTagKeyRows,
  siteRows,
  sshKeyRows,
  userRows,
} from './matrix-rows/surroundings.ts';
import { tagRows, teamAccessRows } from './matrix-rows/team-access.ts';
import { teamRows } from './matrix-rows/teams.ts';
import { tokenRows } from './matrix-rows/tokens.ts';
import { setVariableRows, variableSetRows } from './matrix-rows/variable-sets.ts';
import { bindingRows, consumerRows, retentionRows, variableRows, workspaceRows } from './matrix-rows/workspaces.ts';

const rows: Rows = {
  ...teamRows,
  ...workspaceRows,
  ...variableRows,
  ...setVariableRows,
  ...variableSetRows,
  ...bindingRows,
  ...consumerRows,
  ...retentionRows,
  ...reservedTagKeyRows,
  ...stateRows,
  ...configurationVersionRows,
  ...runRows,
  ...runPartRows,
  ...runTriggerRows,
  ...notificationRows,
  ...runTaskRows,
  ...tagRows,
  ...teamAccessRows,
  ...organizationRows,
  ...membershipRows,
  ...userRows,
  ...siteRows,
  ...projectRows,
  ...sshKeyRows,
  ...connectionRows,
  ...auditRows,
  ...explanationRows,
  ...agentPoolRows,
  ...engineVersionRows,
  ...tokenRows,
  ...sessionRows,
  ...passwordRows,
  ...secondFactorRows,
  ...signInProviderRows,
  ...loginRows,
};

interface Line {
  one: AnyEndpoint;
  path: string;
  /** `update, by name: a visible team` */
  label: string;
  row: Row;
}

const lines: Line[] = endpoints.flatMap(one => {
  const given = rows[one.operation] ?? {};
  const kinds = Object.entries(typeof given === 'function' ? { '': given } : given);
  return one.paths.flatMap((path: string) => {
    const form = formOf(path, one.paths);
    const action = one.operation.slice(one.operation.indexOf('.') + 1);
    return kinds.map(([kind, row]) => ({ one, path, label: `${action}${form}${kind && `: ${kind}`}`, row }));
  });
});

/** What sets one address of an endpoint apart from its others. */
function formOf(path: string, all: readonly string[]): string {
  if (all.length === 1) return '';
  const isByName = (one: string) => /:\w+_name$|:workspace_name\b/.test(one);
  if (isByName(path)) return ', by name';
  return all.some(isByName) ? ', by id' : ` at ${path.replaceAll(/:\w+/g, '…')}`;
}

/** Silent, since changes that cannot be recorded fail here by intention. */
const app = useApp({ TERRANE_LOG_LEVEL: 'silent', ...reachable });
let world: World;
let fresh: Fresh;
let countRows: () => Promise<Record<string, number>>;
const found = new Map<Line, Record<CallerName, number>>();

beforeAll(async () => {
  world = await buildWorld(app);
  fresh = freshTargets(world);
  countRows = await rowCounter(app.store);
});

test('§5 every endpoint has a row in the matrix', () => {
  const missing = endpoints.map(({ operation }) => operation).filter(operation => !rows[operation]);
  const advice = missing.map(
    operation =>
      `${operation} has no row: add '${operation}' to a file of test/matrix-rows/ with a fresh target and what to send`,
  );
  expect(advice).toEqual([]);
});

test('every row of the matrix is of an endpoint', () => {
  const known = new Set(endpoints.map(({ operation }) => operation));
  expect(Object.keys(rows).filter(operation => !known.has(operation))).toEqual([]);
});

describe('§5 who is answered what; a 404 is that of a missing record, and a refusal changes nothing', () => {
  test.each(lines.map(line => [`${line.one.operation} (${line.label}) ${line.path}`, line] as const))(
    '%s',
    async (_name, line) => {
      found.set(line, await statusesOf(line));
    },
  );
});

test('§5 the matrix is the golden file', () => {
  expectGolden(new URL('matrix.golden.txt', import.meta.url), printed());
});

/** A target serves until a caller changes it, unless the row makes it for the caller. Refusals change no row count. Who reads what all share does so at once. */
async function statusesOf(line: Line): Promise<Record<CallerName, number>> {
  const statuses = {} as Record<CallerName, number>;
  const isWrite = line.one.method !== 'GET';
  if (!isWrite && line.row.length < 2) {
    const asked = await line.row(fresh, world.callers[callerNames[0]!]);
    await withEach(callerNames, async name => {
      statuses[name] = await statusOf(line, world.callers[name], asked);
    });
    return statuses;
  }
  let asked: Asked | undefined;
  let before: Record<string, number> = {};
  let changer: Caller | undefined;
  for (const name of callerNames) {
    const caller = world.callers[name];
    if (!asked || line.row.length > 1) {
      asked = await line.row(fresh, caller);
      if (isWrite) before = await countRows();
    }
    const status = await statusOf(line, caller, asked);
    statuses[name] = status;
    if (isWrite && status >= 400) expect([name, await countRows()]).toEqual([name, before]);
    if (isWrite && status < 400) [asked, changer] = [undefined, caller];
  }
  if (changer) {
    const again = await line.row(fresh, changer);
    await expectNothingWithoutEvent(app, line.one.operation, () => asking(line, changer, again));
  }
  return statuses;
}

const tokenFor = ({ token }: Caller, asked: Asked) => ('token' in asked ? asked.token : token);
const asking = (line: Line, caller: Caller, asked: Asked) =>
  ask(line, addressOf(line, asked, caller), asked, tokenFor(caller, asked));

/** A change leaves one event, and is not done where that cannot be written. */
async function statusOf(line: Line, caller: Caller, asked: Asked): Promise<number> {
  const answer = await asking(line, caller, asked);
  expect(answer.status, answer.text).toBeLessThan(500);
  if (line.one.method !== 'GET' && answer.status < 400) await expectOneEvent(app, line.one.operation, answer);
  if (answer.status === 404) await expectMissing(line, asked, answer, caller);
  return answer.status;
}

const ask = ({ one }: Line, url: string, { body, raw }: Asked, token: string | null | undefined) =>
  app.call(one.method, url, {
    token: one.signed ? null : (token ?? null),
    ...(body !== undefined && { body }),
    ...(raw && { raw }),
  });

function addressOf({ one, path }: Line, asked: Asked, caller: Caller): string {
  const filled = path.replace(
    /:(\w+)/g,
    (_match, name: string) => asked.params[name] ?? `${name} is not in the row's params`,
  );
  if (one.signed) return signedFor(one, filled, asked, caller);
  return `/api/v2${filled}${asked.query ? `?${asked.query}` : ''}`;
}

/** The address that the caller was given; those who are nobody have one without a signature, or that is not, or no more, good. */
function signedFor(
  { method, signed }: AnyEndpoint,
  path: string,
  { givenTo }: Asked,
  { name, userId }: Caller,
): string {
  const sign = signed === 'in path' ? pathWithSignature : signedPath;
  const to = name === 'gone' ? 'user-1111111111111111' : (givenTo ?? userId);
  const expired_ms = Date.parse('2020-01-01T00:00:00Z');
  const address = sign(pepper, method, path, to, name === 'stale' ? expired_ms : Date.now());
  if (name === 'bad') return address.replace(/(.)$/, (last: string) => (last === 'A' ? 'B' : 'A'));
  return name === 'none' && signed === 'in query' ? path : name === 'none' ? address.replace(/[^/]+$/, 'x') : address;
}

/** §5.5: the bytes of the same request with what does not exist in the place of what it names. */
async function expectMissing(line: Line, asked: Asked, answer: Answer, caller: Caller) {
  const names = Object.keys(asked.params);
  const used = names.filter(name => line.path.includes(`:${name}`));
  const { raw, ...said } = asked;
  const sentOf = (one: Asked) => JSON.stringify({ url: addressOf(line, one, caller), body: one.body });
  for (const replaced of used.length > 1 ? used.map(name => [name]) : [names]) {
    const values = replaced.map(name => asked.params[name]!);
    const twin = values.reduce((text, value) => text.replaceAll(value, nothingLike(value)), JSON.stringify(said));
    const other: Asked = { ...(JSON.parse(twin) as Asked), ...(raw && { raw }) };
    const isNamed = sentOf(other) !== sentOf(asked);
    const url = addressOf(line, other, caller);
    const missing = await ask(line, isNamed ? url : `${url}-nothing`, other, tokenFor(caller, asked));
    expect(bytesOf(answer)).toEqual(bytesOf(missing));
  }
}

const nothingLike = (value: string) =>
  value.replace(/^([a-z]+)-[A-Za-z0-9]{16}$|$/, (_all, prefix) => (prefix ? `${prefix}-${'0'.repeat(16)}` : 'x'));

function bytesOf({ status, headers, text }: Answer) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status, headers: rest, text };
}

function printed(): string {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const resource = line.one.operation.slice(0, line.one.operation.indexOf('.'));
    groups.set(resource, [...(groups.get(resource) ?? []), line]);
  }
  const tables = [...groups].map(([resource, members]) => {
    const width = Math.max(...[resource, ...members.map(({ label }) => label)].map(text => text.length)) + 2;
    const head = resource.padEnd(width) + callerNames.map(name => name.padEnd(6)).join('');
    const body = members.map(line => {
      const statuses = found.get(line);
      return line.label.padEnd(width) + callerNames.map(name => String(statuses?.[name] ?? '?').padEnd(6)).join('');
    });
    return [head, ...body].map(text => text.trimEnd()).join('\n');
  });
  return `${legend()}\n\n${tables.join('\n\n')}\n`;
}

function legend(): string {
  const callers = callerNames.map(name => `  ${name.padEnd(6)}${cast[name]}`);
  return [
    'Who is answered what (§5). Written by UPDATE_GOLDEN=1 npx vitest run test/server/matrix.test.ts; read every line',
    'that changed before committing it. No cell depends on the one before: whatever is changed gets a new target.',
    'Of content the callers show an address that was given to them: without its signature (none), changed (bad), expired',
    '(stale), or given to an account that is removed (gone).',
    '',
    ...callers,
  ].join('\n');
}
