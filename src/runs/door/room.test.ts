/** §5 How many agents may be signed in to one organization. */
import { expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { askDoor, signedIn } from '../../../test/builders/agent.ts';
import { bodyOf, organization, type TestOrganization } from '../../../test/builders/records.ts';
import { agentPool } from '../../../test/builders/workspace.ts';
import { useLimits } from '../../../test/limits.ts';

useLimits({ presentAgents_items: 3 });
const app = useApp();
/** A pool of the organization, and a token that agents sign in to it with. */
async function pool(of: TestOrganization): Promise<{ id: string; token: string }> {
  const id = await agentPool(app, of);
  const body = bodyOf('authentication-tokens', { description: 'agents' });
  const { data } = await app.post(`agent-pools/${id}/authentication-tokens`, of.owner.token, body);
  return { id, token: data.attributes.token };
}

const register = (token: string) => askDoor(app, 'POST', '/register', token, { engines: [] });

test('§5 an organization has so many agents and no more, in all of its pools together; one that leaves makes room', async () => {
  const [home, away] = [await organization(app), await organization(app)];
  const [one, other, theirs] = [await pool(home), await pool(home), await pool(away)];
  const first = await signedIn(app, one.token);
  expect((await register(one.token)).status).toBe(200);
  expect((await register(other.token)).status).toBe(200);
  const refused = await register(other.token);
  expect([refused.status, refused.json.errors[0].title]).toEqual([429, 'too many agents']);
  expect((await register(theirs.token)).status).toBe(200);
  expect((await askDoor(app, 'POST', '/exit', first.secret)).status).toBe(204);
  expect((await register(other.token)).status).toBe(200);
});
