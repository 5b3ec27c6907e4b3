/** §5.5 between two organizations: no id, name, filter or body of one reaches the other, and nothing tells that it exists. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Parameter, Parameters } from '../../src/core/jsonapi/query.ts';
import { endpoints } from '../../src/http/endpoints.ts';
import { type Answer, useApp } from '../app.ts';
import { bodyOf } from '../builders/records.ts';
import { furnished, type Names, nothingLike, type Side } from '../cast/furnished.ts';
import { bodies, queries } from '../nets/isolation-requests.ts';
import { fingerprint } from '../nets/rows.ts';

const app = useApp();

let acme: Side;
let rival: Side;
let nothing: Names;
/** What every table holds, as no request here changes it. */
let unchanged: Record<string, string> | undefined;
beforeAll(async () => {
  acme = await furnished(app);
  rival = await furnished(app);
  const entries = Object.entries(rival.names).map(([name, value]) => [name, nothingLike(value)]);
  nothing = Object.fromEntries(entries) as Names;
});

interface Request {
  method: string;
  path: string;
  body?: unknown;
}

/** The same request with what is the other organization's and with what is nobody's: the same bytes, nothing changed. */
async function expectNothing(build: (names: Names) => Request): Promise<Answer> {
  unchanged ??= await fingerprint(app.store);
  const [foreign, missing] = [await send(build(rival.names)), await send(build(nothing))];
  expect(foreign.status).toBeLessThan(500);
  expect([foreign.status, told(foreign, rival.names)]).toEqual([missing.status, told(missing, nothing)]);
  expect(await fingerprint(app.store)).toEqual(unchanged);
  return foreign;
}

const send = ({ method, path, body }: Request) =>
  app.call(method, path, { token: acme.token, ...(body !== undefined && { body }) });

/** What an answer says, with the sent names taken out: a refusal may repeat what was asked. */
function told({ text, headers }: Answer, sent: Names): unknown {
  // Length and entity tag follow from the text, which repeats what was sent.
  const { 'x-request-id': _id, date: _date, 'content-length': _length, etag: _tag, ...rest } = headers;
  const parts = Object.entries(sent).sort(([, one], [, other]) => other.length - one.length);
  return [parts.reduce((all, [name, value]) => all.replaceAll(encodeURIComponent(value), name), text), rest];
}

/** What a list cannot do without, so that it is the address that is refused. */
function needed(query: Parameters = {}): string {
  const required = Object.entries(query).filter(([, { isRequired }]) => isRequired);
  const first = ({ schema }: Parameter<unknown>) => (schema as { enum?: string[] }).enum?.[0] ?? 'x';
  const given = new URLSearchParams(required.map(([name, parameter]): [string, string] => [name, first(parameter)]));
  return given.size > 0 ? `?${given}` : '';
}

describe('§5.5 an address with names of another organization', () => {
  // Signed addresses are given out one by one; the matrix has theirs.
  const addresses = endpoints
    .filter(({ signed }) => !signed)
    .flatMap(({ method, paths, query }) =>
      [...paths].map((path: string) => [`${method} ${path}`, method, `${path}${needed(query)}`] as const),
    )
    .filter(([, , path]) => path.includes('/:'));
  test.each(addresses)('%s', async (_name, method, path) => {
    const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof Names);
    const fill = (names: Partial<Names>) =>
      path.slice(1).replace(/:(\w+)/g, (_match, name: keyof Names) => names[name] ?? acme.names[name]);
    const answer = await expectNothing(names => ({
      method,
      path: fill(names),
      body: method === 'GET' ? undefined : {},
    }));
    expect(answer.status).toBe(404);
    // Each of several names alone, beside our own.
    for (const name of parameters.length > 1 ? parameters : []) {
      const mixed = await expectNothing(names => ({ method, path: fill({ [name]: names[name] }) }));
      expect(mixed.status).toBe(404);
    }
  });
});

describe('§5.5 a body with names of another organization', () => {
  test.each(Object.keys(bodies))('%s', async name => {
    const answer = await expectNothing(theirs => {
      const [method, path, body] = bodies[name]!(theirs, acme.names);
      return { method, path, body };
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
  });
});

describe('§5.5 a list asked for what is of another organization', () => {
  test.each(Object.keys(queries))('%s', async name => {
    await expectNothing(theirs => {
      const [place, query] = queries[name]!(theirs, acme.names);
      const path =
        place.startsWith('/') || place === 'organizations'
          ? place.replace('/', '')
          : `organizations/${acme.names.organization_name}/${place}`;
      return { method: 'GET', path: `${path}?${new URLSearchParams(query)}` };
    });
  });

  test('names are free in one organization whatever another one uses', async () => {
    const path = `organizations/${acme.names.organization_name}`;
    const made = [
      await app.post(`${path}/workspaces`, acme.token, bodyOf('workspaces', { name: rival.names.workspace_name })),
      await app.post(`${path}/projects`, acme.token, bodyOf('projects', { name: rival.names.project_name })),
      await app.post(`${path}/teams`, acme.token, bodyOf('teams', { name: rival.names.team_name })),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 200]);
  });
});
