/** §1: what every request passes through, and what clients ask before anything else. */
import { beforeAll, describe, expect, test } from 'vitest';
import { mediaType, openApp, useApp } from '../../test/app.ts';
import {
  bodyOf,
  organization,
  type Person,
  person,
  randomName,
  type TestOrganization,
  team,
} from '../../test/builders/records.ts';
import { safetyHeaders } from './discovery.ts';

const app = useApp({ TERRANE_PUBLIC_URL: 'https://terrane.example/under' });
let acme: TestOrganization;
let teamId: string;
let administrator: Person;
beforeAll(async () => {
  administrator = await person(app, { isAdmin: true });
  acme = await organization(app);
  teamId = await team(app, acme);
});

describe('safety', () => {
  test('§1 every answer says that content is what it is said to be, refusals and unknown paths too', async () => {
    for (const url of ['/healthz', '/nowhere', '/api/v2/teams/none', '/%zz', '/_blobs/plans/none/log'])
      expect((await app.app.inject({ url })).headers['x-content-type-options'], url).toBe('nosniff');
  });

  test('§1 a server that speaks https alone tells browsers so, and no other does', () => {
    expect(safetyHeaders({ ...app.config, tlsKey: 'key' })).toHaveProperty('strict-transport-security');
    expect(safetyHeaders(app.config)).not.toHaveProperty('strict-transport-security');
  });
});

describe('media type', () => {
  const renamed = () => JSON.stringify(bodyOf('teams', { name: randomName('team') }));
  const send = (method: string, path: string, type: string | undefined, raw?: string) =>
    app.app.inject({
      method: method as 'POST',
      url: `/api/v2/${path}`,
      headers: { authorization: `Bearer ${acme.owner.token}`, ...(type !== undefined && { 'content-type': type }) },
      ...(raw !== undefined && { payload: raw }),
    });

  test.each(['POST', 'PATCH', 'DELETE'])(
    '§1 %s of another media type, or of none → 415, with and without a body',
    async method => {
      const path = method === 'POST' ? `organizations/${acme.name}/teams` : `teams/${teamId}`;
      for (const type of [undefined, '', 'application/json', 'text/plain', 'application/vnd.api+jsonx', '*/*']) {
        for (const raw of [undefined, renamed()]) {
          const answer = await send(method, path, type, raw);
          expect([type, raw, answer.statusCode]).toEqual([type, raw, 415]);
          expect(answer.json().errors).toEqual([
            {
              status: '415',
              title: 'invalid content type',
              detail: 'content-type must be application/vnd.api+json',
              source: { header: 'Content-Type' },
            },
          ]);
        }
      }
    },
  );

  test.each([mediaType, 'Application/VND.api+JSON', `${mediaType}; charset=utf-8`, `${mediaType};charset="UTF-8"`])(
    '§1 %s is accepted',
    async type => {
      const created = await send('POST', `organizations/${acme.name}/teams`, type, renamed());
      expect(created.statusCode).toBe(200);
      const { id } = created.json().data;
      expect((await send('PATCH', `teams/${id}`, type, renamed())).statusCode).toBe(200);
      expect((await send('DELETE', `teams/${id}`, type)).statusCode).toBe(204);
    },
  );

  test('§1 GET needs no media type, and whatever it says or accepts does not matter', async () => {
    for (const headers of [{}, { 'content-type': 'text/plain' }, { accept: 'image/png' }]) {
      const answer = await app.call('GET', `teams/${teamId}`, { token: acme.owner.token, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']?.split(';')[0]).toBe(mediaType);
    }
  });
});

describe('answers', () => {
  test('§1 every answer of the API carries its own request id, the API version and the name of the server', async () => {
    const answers = [
      await app.get(`teams/${teamId}`, acme.owner.token),
      await app.get(`teams/${teamId}`, null),
      await app.get('teams/team-0000000000000000', acme.owner.token),
      await app.get('nothing/here', acme.owner.token),
      await app.post(`organizations/${acme.name}/teams`, acme.owner.token, {}),
      await app.delete(`teams/${await team(app, acme)}`, acme.owner.token),
      await app.get('teams/%zz', acme.owner.token),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 404, 422, 204, 400]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^req-[0-9A-Za-z]{16}$/),
        'tfp-api-version': '2.6',
        'tfp-appname': 'Terraform Enterprise',
      });
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  test('§1 a caller cannot choose the request id', async () => {
    const answer = await app.call('GET', `teams/${teamId}`, {
      token: acme.owner.token,
      headers: { 'x-request-id': 'mine', 'request-id': 'mine' },
    });
    expect(answer.headers['x-request-id']).toMatch(/^req-/);
  });

  test('§1 204 has neither body nor media type', async () => {
    const answer = await app.delete(`teams/${await team(app, acme)}`, acme.owner.token);
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([204, '', undefined]);
  });

  test('§1 timestamps are UTC with milliseconds', async () => {
    const attributes = { name: randomName('org'), email: 'owner@example.com' };
    const created = await app.post('organizations', administrator.token, bodyOf('organizations', attributes));
    expect(created.data.attributes['created-at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(created.data.attributes['created-at']) - Date.now())).toBeLessThan(3_600_000);
  });

  test('§1 HEAD answers as GET without a body', async () => {
    const [head, get] = [
      await app.call('HEAD', `teams/${teamId}`, { token: acme.owner.token }),
      await app.get(`teams/${teamId}`, acme.owner.token),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe(get.headers['content-type']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    expect((await app.call('HEAD', `teams/${teamId}`, {})).status).toBe(401);
  });

  test('§1 methods and paths that nothing serves → 404 with a token, 401 below /api/v2 without', async () => {
    const places: [string, string][] = [
      ['PUT', `teams/${teamId}`],
      ['POST', `teams/${teamId}`],
      ['OPTIONS', `teams/${teamId}`],
      ['DELETE', 'ping'],
      ['GET', 'teams'],
      ['GET', `teams/${teamId}/`],
      ['GET', '/api/v2/'],
      ['GET', '//api/v2/ping'],
    ];
    for (const [method, path] of places) {
      const answer = await app.call(method, path, { token: acme.owner.token });
      expect([method, path, answer.status, answer.text]).toEqual([
        method,
        path,
        404,
        '{"errors":[{"status":"404","title":"not found"}]}',
      ]);
      const isBelow = path !== 'ping' && !path.startsWith('//');
      expect([path, (await app.call(method, path, {})).status]).toEqual([path, isBelow ? 401 : 404]);
    }
  });
});

describe('what nobody may see', () => {
  test('§5 what is hidden and what is missing are the same answer, save the request id', async () => {
    const stranger = await person(app);
    const hidden = [`teams/${teamId}`, `organizations/${acme.name}/teams`];
    const missing = ['teams/team-0000000000000000', 'organizations/no-such-organization/teams'];
    for (const [position, path] of hidden.entries()) {
      for (const method of ['GET', 'HEAD', position === 0 ? 'PATCH' : 'POST']) {
        const body =
          method === 'GET' || method === 'HEAD' ? {} : { body: bodyOf('teams', { name: randomName('team') }) };
        const [one, other] = await Promise.all(
          [path, missing[position]!].map(place => app.call(method, place, { token: stranger.token, ...body })),
        );
        const { 'x-request-id': _one, date: _date, ...headers } = one!.headers;
        expect([one!.status, one!.text]).toEqual([404, other!.text]);
        expect(other!.headers).toMatchObject(headers);
      }
    }
  });

  test('§5 no spelling of a path passes the token by', async () => {
    const spellings = [`/%61pi/v2/teams/${teamId}`, `/api%2Fv2/teams/${teamId}`, `/api/%762/teams/${teamId}`];
    for (const path of [...spellings, `http://localhost/api/v2/teams/${teamId}`]) {
      const answer = await app.app.inject({ method: 'GET', url: path });
      expect([path, [401, 404].includes(answer.statusCode)]).toEqual([path, true]);
    }
  });
});

describe('discovery', () => {
  test('ping answers 204 without a token, and says what clients pace and judge by', async () => {
    const answer = await app.get('ping', null);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'tfp-api-version': '2.6',
      'tfp-appname': 'Terraform Enterprise',
      'x-tfe-version': expect.stringMatching(/^v\d{6}-\d+$/),
      'x-request-id': expect.stringMatching(/^req-/),
    });
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
    const mistaken = await app.get('ping', 'no such token');
    expect(mistaken.status).toBe(204);
  });

  test('§9 ping of the hosted edition names no release', async () => {
    const hosted = await openApp({ TERRANE_EDITION: 'hosted', TERRANE_RATE_LIMIT: '30' });
    const { headers } = await hosted.get('ping', null);
    await hosted.close();
    expect(headers).toMatchObject({ 'tfp-appname': 'HCP Terraform', 'x-ratelimit-limit': '30' });
    expect(headers['x-tfe-version']).toBeUndefined();
  });

  test('service discovery needs no token and names the services of the command line and of the provider', async () => {
    const answer = await app.get('/.well-known/terraform.json', null);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.document).toEqual({
      'tfe.v2': '/api/v2/',
      'tfe.v2.1': '/api/v2/',
      'tfe.v2.2': '/api/v2/',
      'state.v2': '/api/v2/',
      'login.v1': {
        client: 'terraform-cli',
        grant_types: ['authz_code'],
        ports: [10000, 10010],
        authz: '/oauth/authorize',
        token: '/oauth/token',
      },
    });
  });
});
