import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../test/app.ts';
import { bodyOf, organization, type TestOrganization } from '../../test/builders.ts';

const app = useApp();
let acme: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
});

describe('create', () => {
  test('§4.1 a team is created with 200, secret and without access', async () => {
    const answer = await app.post(
      `organizations/${acme.name}/teams`,
      acme.owner.token,
      bodyOf('teams', { name: 'platform' }),
    );
    expect(answer.problems).toEqual([]);
    expect(answer.status).toBe(200);
    expect(answer.data.attributes).toMatchObject({ name: 'platform', visibility: 'secret', 'users-count': 0 });
    const shown = await app.get(`teams/${answer.data.id}?include=users`, acme.owner.token);
    expect(shown.data).toEqual(answer.data);
    const list = await app.get(`organizations/${acme.name}/teams?q=PLAT`, acme.owner.token);
    expect(list.document.meta.pagination['total-count']).toBe(1);
    const attributes = { name: 'a b', visibility: 3, 'organization-access': { 'manage-projects': true } };
    const refused = await app.patch(`teams/${answer.data.id}`, acme.owner.token, bodyOf('teams', attributes));
    expect(refused.status).toBe(422);
    expect(refused.pointers).toEqual([
      '/data/attributes/visibility',
      '/data/attributes/name',
      '/data/attributes/organization-access/manage-projects',
    ]);
  });
});
