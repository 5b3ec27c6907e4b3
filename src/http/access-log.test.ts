/** What a server writes about the requests that it answers: its log, and the traces that it delivers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Document } from '../../test/app.ts';
import { createEmptyDatabase, reachableUrl } from '../../test/running/database.ts';
import { operatorToken, type Server, startServer } from '../../test/running/server.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const patience = { timeout: 10_000, interval: 20 };
const delivered: { spans: Document[]; headers: object; path: string }[] = [];
const closers: (() => unknown)[] = [];
let url: string;
let server: Server;

const start = (environment: Record<string, string>) =>
  startServer({
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'the pepper of this test',
    TERRANE_ENCRYPTION_KEY: 'the encryption key of this test',
    ...environment,
  });

beforeAll(async () => {
  const collector = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const [{ scopeSpans }] = JSON.parse(body).resourceSpans;
    delivered.push({ spans: scopeSpans[0].spans, headers: request.headers, path: request.url! });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  const database = await createEmptyDatabase();
  const reachable = await reachableUrl(database.connection);
  url = reachable.url;
  server = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20the%20collector',
  });
  closers.push(
    () => server.end(),
    () => collector.close(),
    reachable.close,
    () => database.drop(),
  );
});
afterAll(async () => {
  for (const close of closers) await close();
});

const authorization = `Bearer ${operatorToken}`;
const lines = (of: Server): Document[] =>
  of
    .output()
    .split('\n')
    .filter(line => line.includes('"msg":"request"'))
    .map(line => JSON.parse(line));

/** The line of the request that got this answer. */
async function lineOf(answer: Response, of = server): Promise<Document> {
  const id = answer.headers.get('x-request-id');
  return vi.waitFor(() => {
    const found = lines(of).find(({ reqId }) => reqId === id);
    if (!found) throw new Error(`No line of ${id}`);
    return found;
  }, patience);
}

test('log: a request is one line with its operation, status, time, statements and who asked', async () => {
  const answer = await fetch(`${server.address}/api/v2/account/details?access_token=hush`, {
    headers: { authorization },
  });
  const { data } = (await answer.json()) as Document;
  expect(await lineOf(answer)).toMatchObject({
    level: 30,
    operation: 'users.show-own',
    method: 'GET',
    path: '/api/v2/account/details',
    parameters: ['access_token'],
    status: 200,
    milliseconds: expect.any(Number),
    statements: expect.any(Number),
    actor: data.id,
  });
  expect((await lineOf(answer)).statements).toBeGreaterThanOrEqual(1);
  expect(server.output()).not.toContain('hush');
});

test('log: who shows no token is nobody, and an address with nothing at it is no operation', async () => {
  const answer = await fetch(`${server.address}/api/v2/nowhere`);
  await answer.arrayBuffer();
  expect(await lineOf(answer)).toMatchObject({ operation: 'none', status: 401, actor: null });
});

test('log: a line is short, whatever is asked for', async () => {
  const answer = await fetch(`${server.address}/api/v2/${'long'.repeat(5000)}?${'x=1&'.repeat(2000)}`);
  await answer.arrayBuffer();
  expect(JSON.stringify(await lineOf(answer)).length).toBeLessThan(2000);
});

test('log: what balancers ask every few seconds is no line', async () => {
  const health = await fetch(`${server.address}/healthz`);
  await health.arrayBuffer();
  const ping = await fetch(`${server.address}/api/v2/ping`);
  expect(await lineOf(ping)).toMatchObject({ operation: 'ping' });
  expect(lines(server).map(({ reqId }) => reqId)).not.toContain(health.headers.get('x-request-id'));
});

test('log: the lines of requests can be left out, and everything else stays', async () => {
  const silent = await start({ TERRANE_ACCESS_LOG: 'silent' });
  await (await fetch(`${silent.address}/api/v2/ping`)).arrayBuffer();
  await silent.end();
  expect(silent.output()).toContain('Server listening');
  expect(lines(silent)).toEqual([]);
});

test('traces: a request that names its trace finds it again in the answer, the log and the collector', async () => {
  const answer = await fetch(`${server.address}/api/v2/account/details`, {
    headers: { authorization, traceparent: `00-${traceId}-${parentId}-01` },
  });
  await answer.arrayBuffer();
  const [, told, span] = /^00-(\w{32})-(\w{16})-01$/.exec(answer.headers.get('traceresponse')!)!;
  expect(told).toBe(traceId);
  expect(await lineOf(answer)).toMatchObject({ trace: traceId, span });
  const found = await vi.waitFor(() => {
    const every = delivered.flatMap(({ spans }) => spans);
    const own = every.find(({ spanId }) => spanId === span);
    if (!own) throw new Error('The span has not come.');
    return own;
  }, patience);
  expect(found).toMatchObject({ traceId, parentSpanId: parentId, name: 'users.show-own', kind: 2 });
  expect(BigInt(found.endTimeUnixNano) >= BigInt(found.startTimeUnixNano)).toBe(true);
  expect(found.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: '200' } });
  expect(delivered[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-key': 'of the collector' } });
});

test('traces: what the caller does not want collected is not', async () => {
  const before = delivered.flatMap(({ spans }) => spans).length;
  const other = '11111111111111111111111111111111';
  const first = await fetch(`${server.address}/api/v2/ping`, {
    headers: { traceparent: `00-${other}-${parentId}-00` },
  });
  expect(first.headers.get('traceresponse')).toMatch(new RegExp(`^00-${other}-\\w{16}-00$`));
  await fetch(`${server.address}/api/v2/ping`);
  await vi.waitFor(() => {
    if (delivered.flatMap(({ spans }) => spans).length === before) throw new Error('Nothing has come.');
  }, patience);
  expect(delivered.flatMap(({ spans }) => spans).map(span => span.traceId)).not.toContain(other);
});

test('traces: a server that is to export to nobody begins none', async () => {
  const plain = await start({});
  const answer = await fetch(`${plain.address}/api/v2/ping`);
  expect(answer.headers.get('traceresponse')).toBeNull();
  const named = await fetch(`${plain.address}/api/v2/ping`, {
    headers: { traceparent: `00-${traceId}-${parentId}-01` },
  });
  expect(named.headers.get('traceresponse')).toContain(traceId);
  await plain.end();
});
