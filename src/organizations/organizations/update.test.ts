import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import {
  bodyOf,
  organization,
  randomName,
  secondFactorOf,
  serviceTokenOf,
  type TestOrganization,
} from '../../../test/builders/records.ts';
import { newId } from '../../core/store/ids.ts';
import { row } from '../../core/store/store.ts';

const app = useApp();
let acme: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  acme = await organization(app);
  other = await organization(app);
});

const settings = (attributes: object, relationships?: object) => bodyOf('organizations', attributes, relationships);
const missing = async () => (await app.get('organizations/nowhere', acme.owner.token)).text;

async function agentPool(of: TestOrganization): Promise<string> {
  const id = newId('apool');
  const sql = app.store.read;
  await sql`insert into agent_pools ${row(sql, { id, organization_id: of.key, name: randomName('pool') })}`;
  return id;
}

describe('update', () => {
  test('§1 what is left out keeps its value; the answer is what show gives', async () => {
    const one = await organization(app);
    await secondFactorOf(app, one.owner);
    const given = {
      email: 'new@example.com',
      'allow-force-delete-workspaces': true,
      'collaborator-auth-policy': 'two_factor_mandatory',
    };
    const answer = await app.patch(`organizations/${one.name}`, one.owner.token, settings(given));
    expect(answer.status).toBe(200);
    expect(answer.data.attributes).toMatchObject({ ...given, name: one.name, 'assessments-enforced': false });
    expect((await app.get(`organizations/${one.name}`, one.owner.token)).data).toEqual(answer.data);
    const empty = await app.patch(`organizations/${one.name}`, one.owner.token, settings({}));
    expect(empty.data).toEqual(answer.data);
  });

  test('§1 a new name is the new id, and the old address is 404', async () => {
    const one = await organization(app);
    const name = randomName('renamed');
    const answer = await app.patch(`organizations/${one.name}`, one.owner.token, settings({ name }));
    expect(answer.data).toMatchObject({ id: name, attributes: { name, 'external-id': one.key } });
    expect((await app.get(`organizations/${one.name}`, one.owner.token)).text).toBe(await missing());
    expect((await app.get(`organizations/${name}/teams`, one.owner.token)).status).toBe(200);
    const taken = await app.patch(`organizations/${name}`, one.owner.token, settings({ name: acme.name }));
    expect(taken.problems).toEqual(['Name has already been taken']);
  });

  test('§4.2 agent mode needs a pool, other modes refuse one, and leaving agent mode lets go of it', async () => {
    const one = await organization(app);
    const pool = await agentPool(one);
    const update = (attributes: object, relationships?: object) =>
      app.patch(`organizations/${one.name}`, one.owner.token, settings(attributes, relationships));
    const without = await update({ 'default-execution-mode': 'agent' });
    expect(without.status).toBe(422);
    expect(without.problems[0]).toContain("must be specified when using 'agent' execution mode");
    const link = { 'default-agent-pool': { data: { type: 'agent-pools', id: pool } } };
    const unwanted = await update({ 'default-execution-mode': 'remote' }, link);
    expect(unwanted.status).toBe(422);
    expect(unwanted.problems[0]).toContain("must not be specified unless using 'agent' execution mode");
    const asRelationship = await update({ 'default-execution-mode': 'agent' }, link);
    expect(asRelationship.status).toBe(200);
    expect(asRelationship.data.relationships['default-agent-pool'].data).toEqual({ type: 'agent-pools', id: pool });
    const gone = await update({ 'default-execution-mode': 'local' });
    expect(gone.data.relationships['default-agent-pool']).toEqual({ data: null });
    const asAttribute = await update({ 'default-execution-mode': 'agent', 'default-agent-pool-id': pool });
    expect(asAttribute.data.attributes['default-agent-pool-id']).toBe(pool);
    const kept = await update({ email: 'b@example.com' });
    expect(kept.data.attributes).toMatchObject({ 'default-execution-mode': 'agent', 'default-agent-pool-id': pool });
    const emptied = await update({ 'default-agent-pool-id': '' });
    expect(emptied.problems[0]).toContain("must be specified when using 'agent' execution mode");
    const second = await agentPool(one);
    const both = await update({ 'default-agent-pool-id': second }, link);
    expect(both.pointers).toEqual(['/data/relationships/default-agent-pool']);
  });

  test('§5 a pool of another organization is refused as one that does not exist', async () => {
    const foreign = await agentPool(other);
    const body = (id: string) => settings({ 'default-execution-mode': 'agent', 'default-agent-pool-id': id });
    const answer = await app.patch(`organizations/${acme.name}`, acme.owner.token, body(foreign));
    const unknown = await app.patch(`organizations/${acme.name}`, acme.owner.token, body('apool-0000000000000000'));
    expect(answer.status).toBe(422);
    expect(answer.text).toBe(unknown.text);
  });

  test('§5 with user tokens switched off only tokens of teams and of the organization reach it', async () => {
    const one = await organization(app);
    const token = await serviceTokenOf(app, one, one.ownersTeamId);
    const off = await app.patch(
      `organizations/${one.name}`,
      one.owner.token,
      settings({ 'user-tokens-enabled': false }),
    );
    expect(off.data.attributes['user-tokens-enabled']).toBe(false);
    expect((await app.get(`organizations/${one.name}`, one.owner.token)).status).toBe(401);
    const on = await app.patch(`organizations/${one.name}`, token, settings({ 'user-tokens-enabled': true }));
    expect(on.status).toBe(200);
    expect((await app.get(`organizations/${one.name}`, one.owner.token)).status).toBe(200);
  });
});
