/** §5.5 A subject that a body names by its relationship: whatever stands there is an answer, and never a fault of the server. */
import { expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { organization } from '../../../test/builders/records.ts';
import { endpoints } from '../../http/endpoints.ts';

const app = useApp();
const named = endpoints.flatMap(({ operation, method, paths, named: by }) =>
  by && 'byRelationship' in by ? [{ operation, method, path: paths[0]!, relationship: by.byRelationship }] : [],
);
const types = ['workspaces', 'teams', 'projects', 'organizations', 'tasks', 'runs'];

test('§5.5 there are such endpoints', () => expect(named.length).toBeGreaterThan(1));

test.each(named)('§5.5 $operation: an empty id, and none → 404 or 422', async ({ method, path, relationship }) => {
  const { owner } = await organization(app);
  const asked = async (data: unknown) => {
    const team = { data: { type: 'teams', id: 'team-0000000000000000' } };
    const relationships = { team, [relationship]: { data } };
    const body = { data: { type: path.slice(1), attributes: { access: 'read' }, relationships } };
    return (await app.call(method, path.slice(1), { token: owner.token, body })).status;
  };
  for (const type of types) expect([404, 422]).toContain(await asked({ type, id: '' }));
  expect([404, 422]).toContain(await asked(null));
});
