/** Requests made from the OpenAPI description alone: valid ones, broken ones, garbage, and ones that name another tenant. */

import { type Draws, drawsFor } from '../../src/commands/seed/draws.ts';
import { openApiDocument } from '../../src/core/jsonapi/openapi.ts';
import { endpoints, resources } from '../../src/http/endpoints.ts';
import type { Answer, TestApp } from '../app.ts';
import { type Person, person } from '../builders/records.ts';
import { type RichOrganization, richOrganization } from '../cast/rich-organization.ts';
import { checksums, recordsOf, type TenantRecord, type TenantTable, tableOf, tenantTables } from '../cast/tenant.ts';
import { type Committed, watchCommits } from './committed.ts';
import { hostileBody, hostileHeaders, hostileQuery, hostileSegment } from './hostile.ts';
import { resolved } from './references.ts';
import { broken, fits, fittingValue, oddText, oddValue, type Schema, spoiled, word } from './schema-values.ts';

export interface Report {
  requests: number;
  byKind: Record<string, Record<number, number>>;
  /** Operations that never answered with success. */
  unsuccessful: string[];
  worst: { operation: string; milliseconds: number }[];
  /** How often the organization was made anew, since a request had deleted it. */
  rebuilt: number;
  findings: Finding[];
}

export interface Finding {
  what: string;
  operation: string;
  count: number;
  example: string;
}

interface Operation {
  operationId: string;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  body?: Schema;
  /** The names of its errors by status. */
  errors: Record<string, string>;
}

export const kinds = ['valid', 'broken', 'garbage', 'swapped', 'hostile'] as const;
export type Kind = (typeof kinds)[number];

interface Request {
  kind: Kind;
  operation: Operation;
  path: string;
  token: string | null;
  body?: unknown;
  raw?: string | Buffer;
  headers?: Record<string, string>;
  /** Whether every part of its address that names a record names one of the other tenant. */
  isForeign: boolean;
  /** Whether its body breaks the schema: success would be a finding. */
  isBroken: boolean;
}

type Records = Map<string, TenantRecord[]>;

interface World {
  app: TestApp;
  tables: TenantTable[];
  /** Whose requests these are. Made anew when they deleted it. */
  home: RichOrganization;
  records: Records;
  rival: RichOrganization;
  rivalRecords: Records;
  rivalIds: ReadonlySet<string>;
  rivalSums: Record<string, string>;
  versions: string[];
  administrator: Person;
  committed: Committed;
}

/** Records are looked up anew, and the other tenant's rows compared, after so many requests. */
const batchSize = 50;

/** Sends `count` requests, or as many as there is time for; the same seed makes the same choices. */
export async function sendGenerated(
  app: TestApp,
  count: number,
  seed: number,
  isStopped: () => boolean = () => false,
  asked: readonly Kind[] = kinds,
): Promise<Report> {
  const operations = readOperations(app);
  const world = await buildWorld(app);
  const report: Report = { requests: 0, byKind: {}, unsuccessful: [], worst: [], rebuilt: 0, findings: [] };
  const successful = new Set<string>();
  const slowest = new Map<string, number>();
  let batch: string[] = [];
  let round: Operation[] = [];
  for (let position = 0; position < count && !isStopped(); position += 1) {
    const draws = drawsFor(`${seed} ${position}`);
    // Every operation comes round with every kind of request, in an order that is new each time.
    const place = position % (operations.length * asked.length);
    if (place === 0) round = shuffled(operations, draws);
    const operation = round[place % operations.length]!;
    const turn = Math.floor(place / operations.length);
    const kind = asked[((place % operations.length) + turn) % asked.length]!;
    const request = makeRequest(world, operation, kind, draws);
    const started = performance.now();
    const status = await send(world, request, report, batch);
    const milliseconds = performance.now() - started;
    slowest.set(operation.operationId, Math.max(slowest.get(operation.operationId) ?? 0, milliseconds));
    const statuses = report.byKind[kind] ?? {};
    report.byKind[kind] = statuses;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status > 0 && status < 400) successful.add(operation.operationId);
    report.requests += 1;
    // Without the organization, or under its former name, all that follows would find nothing.
    const isOrganizationChanged = operation.path === '/organizations/{organization_name}' && operation.method !== 'GET';
    if (report.requests % batchSize === 0 || report.requests === count || isOrganizationChanged) {
      await compareRival(world, report, batch);
      batch = [];
      if (await renew(world)) report.rebuilt += 1;
    }
  }
  report.unsuccessful = operations.map(({ operationId }) => operationId).filter(id => !successful.has(id));
  report.worst = [...slowest]
    .map(([operation, milliseconds]) => ({ operation, milliseconds }))
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, 10);
  return report;
}

function shuffled<Value>(values: readonly Value[], draws: Draws): Value[] {
  return values
    .map(value => ({ value, place: draws.fraction() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}

function readOperations({ config }: TestApp): Operation[] {
  const deployment = { ...config, publicUrl: '', sign: () => '', unseal: () => '' };
  const document = openApiDocument(
    endpoints.filter(({ signed }) => !signed),
    resources,
    deployment,
  ) as {
    // biome-ignore lint/suspicious/noExplicitAny: a description in JSON.
    paths: Record<string, Record<string, any>>;
  };
  const whole = <Value extends object>(value: Value) => resolved(document, value);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters = [], requestBody, responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map(whole),
      body: Object.values<{ schema: Schema }>(requestBody?.content ?? {})[0]?.schema,
      errors: Object.fromEntries(
        Object.entries<{ description: string }>(responses).map(([status, one]) => [status, whole(one).description]),
      ),
    })),
  ) as Operation[];
}

async function buildWorld(app: TestApp): Promise<World> {
  const sql = app.store.read;
  const [home, rival] = [await richOrganization(app), await richOrganization(app)];
  const tables = await tenantTables(sql);
  const rivalRecords = await recordsOf(sql, tables, rival.key);
  const versions = await sql<{ id: string }[]>`
    select engine_versions.id from engine_versions order by engine_versions.id limit 5`;
  return {
    app,
    tables,
    home,
    records: await recordsOf(sql, tables, home.key),
    rival,
    rivalRecords,
    rivalIds: new Set([...rivalRecords.values()].flat().map(({ id }) => id)),
    rivalSums: await checksums(sql, tables, rival.key),
    versions: versions.map(({ id }) => id),
    administrator: await person(app, { isAdmin: true }),
    committed: await watchCommits(sql),
  };
}

/** Looks up what is there now. Returns whether the organization had to be made anew. */
async function renew(world: World): Promise<boolean> {
  const { app, home } = world;
  const answer = await app.call('GET', `organizations/${home.name}`, { token: home.owner.token });
  const isGone = answer.status !== 200 || !answer.data.attributes.permissions['can-destroy'];
  // Attempts that failed would keep the new organization's people from signing in.
  await app.store.read`delete from sign_in_attempts`;
  if (isGone) world.home = await richOrganization(app);
  await world.committed.take();
  world.records = await recordsOf(app.store.read, world.tables, world.home.key);
  return isGone;
}

/** Other names for what is not a record of a tenant, so that naming one says nothing. */
const isShared = (parameter: string) => parameter === 'version_id';

function makeRequest(world: World, operation: Operation, kind: Kind, draws: Draws): Request {
  if (kind === 'hostile') return makeHostile(world, operation, draws);
  const isSwapped = kind === 'swapped';
  const isForAdministrators = operation.path.startsWith('/admin/');
  const side = isSwapped ? 'rival' : 'home';
  const named = operation.parameters.filter(one => one.in === 'path');
  // All of an address, or one part of it: a record of theirs below a parent of ours.
  const swapped = isSwapped && draws.chance(0.7) ? named : named.filter(() => isSwapped && draws.chance(0.5));
  let path = `/api/v2${operation.path}`;
  for (const parameter of named) {
    const isOdd = kind === 'garbage' && draws.chance(0.3);
    const from = swapped.includes(parameter) ? 'rival' : 'home';
    const value = isOdd ? oddText(draws) || '%' : nameFor(world, from, parameter.name, draws);
    path = path.replace(`{${parameter.name}}`, encoded(value));
  }
  const query = queryFor(world, operation, kind, draws);
  const request: Request = {
    kind,
    operation,
    path: query ? `${path}?${query}` : path,
    token: isForAdministrators && !isSwapped ? world.administrator.token : tokenFor(world, kind, draws),
    isForeign: named.length > 0 && swapped.length === named.length && named.every(({ name }) => !isShared(name)),
    isBroken: false,
  };
  if (operation.body) addBody(world, request, operation.body, side, draws);
  else if (kind === 'garbage' && operation.method !== 'GET' && draws.chance(0.5)) request.body = oddValue(draws);
  if (kind === 'garbage' && draws.chance(0.1)) {
    request.headers = { 'content-type': draws.pick(['text/plain', 'application/json', '', 'a/b; charset=x']) };
  }
  return request;
}

/** Everything fits but one thing, which stands in the path, the query, a header or the body. */
function makeHostile(world: World, operation: Operation, draws: Draws): Request {
  const named = operation.parameters.filter(one => one.in === 'path');
  const declared = operation.parameters.filter(one => one.in === 'query').map(({ name }) => name);
  const weights = [...(operation.body ? Array<string>(6).fill('body') : []), ...(declared.length > 2 ? ['query'] : [])];
  const place = draws.pick([...weights, ...(named.length > 0 ? ['path'] : []), 'query', 'header']);
  const spoilt = place === 'path' ? draws.pick(named) : undefined;
  let path = `/api/v2${operation.path}`;
  for (const parameter of named) {
    const value = nameFor(world, 'home', parameter.name, draws);
    const segment = parameter === spoilt ? hostileSegment(value, draws) : encoded(value);
    path = path.replace(`{${parameter.name}}`, () => segment);
  }
  const known = knownIn(world, 'home', draws);
  const never = { ...draws, chance: () => false };
  return {
    kind: 'hostile',
    operation,
    path: place === 'query' ? `${path}?${hostileQuery(declared, draws)}` : path,
    token: operation.path.startsWith('/admin/') ? world.administrator.token : world.home.owner.token,
    ...(operation.body && place === 'body' && { raw: hostileBody(operation.body, draws, known) }),
    ...(operation.body && place !== 'body' && { body: fittingValue(operation.body, never, known) }),
    ...(place === 'header' && { headers: hostileHeaders(draws) }),
    isForeign: false,
    isBroken: false,
  };
}

function addBody(world: World, request: Request, schema: Schema, side: 'home' | 'rival', draws: Draws): void {
  const known = knownIn(world, side, draws);
  const value = fittingValue(schema, draws, known);
  request.body = value;
  if (request.kind === 'broken') {
    const next = broken(schema, value, draws);
    if (next !== undefined) request.body = next;
    request.isBroken = next !== undefined && !fits(schema, next);
  }
  if (request.kind !== 'garbage') return;
  request.body = draws.chance(0.3) ? oddValue(draws) : spoiled(value, draws);
  if (draws.chance(0.1)) {
    const text = JSON.stringify(value);
    request.raw = draws.pick([
      text.slice(0, text.length / 2),
      `${text}}`,
      '',
      '\ufeff{}',
      '[[[[[[[[[['.repeat(20),
      'NaN',
    ]);
  }
}

const encoded = (value: string) => encodeURIComponent(value.toWellFormed()).replace(/^\.+$/, '%2E');

/** A name or an id for a parameter of a path, or `type` of an identifier. */
function nameFor(world: World, side: 'home' | 'rival', parameter: string, draws: Draws): string {
  const { home, rival } = world;
  if (parameter === 'organization_name' || parameter === 'organizations') return (side === 'home' ? home : rival).name;
  if (tableOf(parameter, ['engine_versions'])) return draws.pick(world.versions);
  const records = side === 'home' ? world.records : world.rivalRecords;
  const table = tableOf(parameter, [...records.keys()]);
  const found = table ? records.get(table)! : [...records.values()].flat();
  const one = draws.pick(found);
  return parameter.endsWith('_name') && one.name ? one.name : one.id;
}

/** What in a body names a record: `id` beside `type`, and attributes such as `agent-pool-id`. */
function knownIn(world: World, side: 'home' | 'rival', draws: Draws) {
  return (path: readonly string[], beside: Record<string, Schema>): unknown => {
    const name = path.at(-1)!;
    const type = beside['type'];
    const parent = path.at(-2) === 'data' ? path.at(-3) : path.at(-2);
    if (name === 'id') {
      const word = type?.enum?.[0] ?? type?.const ?? (path.at(-2) === 'attributes' ? 'ssh-keys' : parent);
      return typeof word === 'string' ? nameFor(world, side, word, draws) : undefined;
    }
    if (/^(engine|terraform)-version$/.test(name)) return draws.pick(['1.9.0', '1.11.4', '~> 1.9.0', 'latest']);
    if (/^(default-)?agent-pool-id$/.test(name)) return nameFor(world, side, 'agent_pool_id', draws);
    if (name === 'oauth-token-id') return nameFor(world, side, 'oauth_token_id', draws);
    if (/-url$/.test(name)) return `https://example.com/${word(draws)}`;
    return undefined;
  };
}

function queryFor(world: World, operation: Operation, kind: Kind, draws: Draws): string {
  const queries = operation.parameters.filter(one => one.in === 'query' && draws.chance(0.25));
  const members = queries.map(({ name, schema }): [string, string] => {
    if (kind === 'garbage') return [draws.chance(0.2) ? oddText(draws) : name, oddText(draws)];
    if (kind === 'broken') return [name, draws.pick(['-1', '0', 'x', '', 'no,such', ' '])];
    if (schema.type === 'integer') return [name, String(1 + draws.below(30))];
    if (name === 'include' || name === 'sort') return [name, ''];
    const side = kind === 'swapped' ? 'rival' : 'home';
    const table = /(workspace|project|organization|team)/.exec(name)?.[1];
    return [
      name,
      table ? nameFor(world, side, `${table}_${/name/.test(name) ? 'name' : 'id'}`, draws) : word(draws, 3),
    ];
  });
  const text = members
    .filter(([name, value]) => kind !== 'valid' || (name !== 'sort' && name !== 'include') || value !== '')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  if (kind === 'garbage' && draws.chance(0.1))
    text.push(draws.pick(['%zz', '&&&', '=', 'page[size]=%ED%A0%80', 'a[b][c]=1']));
  return text.join('&');
}

function tokenFor({ home }: World, kind: Kind, draws: Draws): string | null {
  if (kind === 'swapped' || draws.chance(0.8)) return home.owner.token;
  const { members, tokens } = home;
  return draws.pick([members[0].token, members[1].token, tokens.team, tokens.organization, null, 'not-a-token']);
}

/** Sends a request and judges its answer. Returns its status, 0 when the answer itself is against the description. */
async function send(world: World, request: Request, report: Report, batch: string[]): Promise<number> {
  const { operation, token, body, raw, headers } = request;
  const text = JSON.stringify(body);
  const example = `${operation.method} ${request.path} ${raw ?? text ?? ''} ${headers ? JSON.stringify(headers) : ''}`;
  const found = (what: string, detail: string) =>
    addFinding(report, what, operation.operationId, `${example}\n    ${detail}`);
  try {
    const answer = await world.app.call(operation.method, request.path, {
      token,
      ...(raw !== undefined ? { raw } : { body }),
      ...(headers && { headers }),
    });
    const { status } = answer;
    const committed = (await world.committed.take()).filter(table => !ofAttempts.has(table));
    if (status >= 400 && committed.length > 0) found(`${status}, and changed ${committed}`, answer.text);
    const unclear = status >= 400 ? unclearIn(answer, headers) : null;
    if (unclear) found(unclear, answer.text);
    if (operation.method !== 'GET' && status < 300) batch.push(example);
    const isDocumented = status === 503 && !answer.problems.some(problem => /database/.test(problem));
    if (status >= 500 && !isDocumented) found(`${status}`, answer.text);
    if (request.isBroken && status < 300) found('accepted against its schema', answer.text);
    if (request.isForeign && status < 300) found("reached the other tenant's record", answer.text);
    // Administrators see every tenant: that is what they are for.
    if (token !== world.administrator.token) {
      const leaked = leaksIn(world, answer.text, example);
      if (leaked.length > 0) found(`shows ${leaked.slice(0, 3).join(', ')} of the other tenant`, answer.text);
    }
    return status;
  } catch (error) {
    found('against its description', (error as Error).message);
    return 0;
  }
}

/** The statuses of a fault that stands somewhere in the request. */
const ofPlaces = new Set([400, 412, 413, 415, 422]);

/** A wrong password is counted, and stands in the audit, where it was refused. */
const ofAttempts = new Set(['sign_in_attempts', 'audit_events']);

/** What a record as it stands does not allow, whatever is sent: no part of a request could be named for it. */
const ofRecords = new Set(['transition not allowed', 'unprocessable entity', 'verification failed']);

/** What a caller would miss in a refusal. */
function unclearIn({ status, document }: Answer, headers: Record<string, string> = {}): string | null {
  const errors: { status?: string; title?: string; detail?: string; source?: object }[] = document?.errors ?? [];
  if (errors.length === 0) return `${status} without an error`;
  if (errors.some(one => one.status !== String(status) || !one.title)) return `${status} without status or title`;
  const isPlaceless = errors.some(
    one => one.source === undefined && !ofRecords.has(one.title!) && !one.detail?.startsWith('and '),
  );
  const isOfRecord = status === 412 && !('if-match' in headers);
  return isPlaceless && !isOfRecord && ofPlaces.has(status) ? `${status} without a place` : null;
}

/** What an answer says of the other tenant that the request did not. */
function leaksIn({ rival, rivalIds }: World, text: string, asked: string): string[] {
  if (text === '') return [];
  const marked = text.includes(rival.marker)
    ? (text.match(new RegExp(`[\\w.:@-]*${rival.marker}[\\w.:@-]*`, 'g')) ?? [])
    : [];
  const ids = (text.match(/\b[a-z]+-[A-Za-z0-9]{16}\b/g) ?? []).filter(id => rivalIds.has(id));
  const given = decodeURIComponent(asked.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25').replaceAll(/%[89A-Fa-f]./g, ''));
  return [...marked, ...ids].filter(one => !asked.includes(one) && !given.includes(one));
}

async function compareRival(world: World, report: Report, batch: readonly string[]): Promise<void> {
  const sums = await checksums(world.app.store.read, world.tables, world.rival.key);
  const changed = Object.keys(sums).filter(table => sums[table] !== world.rivalSums[table]);
  for (const table of changed)
    addFinding(report, `changed ${table} of the other tenant`, 'one of a batch', batch.join('\n    '));
  world.rivalSums = sums;
}

function addFinding(report: Report, what: string, operation: string, example: string): void {
  const known = report.findings.find(one => one.what === what && one.operation === operation);
  if (known) known.count += 1;
  else report.findings.push({ what, operation, count: 1, example: brief(example) });
}

/** Both ends of what is long: the request, and what was answered. */
const brief = (text: string) => (text.length <= 3000 ? text : `${text.slice(0, 1500)} … ${text.slice(-1500)}`);
