/** §6: the audit configuration of an organization. */
import { beforeEach, expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, member, organization, type TestOrganization } from '../../../test/builders/records.ts';

const app = useApp();
let acme: TestOrganization;
beforeEach(async () => {
  acme = await organization(app);
});

const path = () => `organizations/${acme.name}/audit-configuration`;
const update = (attributes: object, token = acme.owner.token) =>
  app.patch(path(), token, bodyOf('audit-configurations', attributes));
const trails = (enabled: unknown) => ({ 'audit-trails': { enabled } });

test('§6 trails are on from the first moment, nothing is streamed, and its organization is named', async () => {
  const shown = await app.get(path(), acme.owner.token);
  const created = (await app.get(`organizations/${acme.name}`, acme.owner.token)).data.attributes['created-at'];
  expect(shown.data).toMatchObject({
    type: 'audit-configurations',
    attributes: {
      'audit-trails': { enabled: true },
      'hcp-audit-log-streaming': { enabled: false, 'organization-id': null, 'use-default-organization': false },
      timestamps: { 'audit-trails-enabled-at': created, 'audit-trails-disabled-at': null },
    },
    relationships: { organization: { data: { type: 'organizations', id: acme.name } } },
  });
  const same = await update({ ...trails(true), 'hcp-audit-log-streaming': { enabled: false } });
  expect([same.status, same.data]).toEqual([200, shown.data]);
});

test('§6 switched off, the trail lacks the organization, and its own list goes on; switched on, all of it is there', async () => {
  const rival = await organization(app, { owner: acme.owner });
  await app.patch(`organizations/${rival.name}`, acme.owner.token, bodyOf('organizations', { email: 'b@example.com' }));
  const off = await update(trails(false));
  expect(off.data.attributes['audit-trails']).toEqual({ enabled: false });
  expect(off.data.attributes.timestamps['audit-trails-enabled-at']).toBe(null);
  expect(off.data.attributes.timestamps['audit-trails-disabled-at']).toBe(off.data.attributes['updated-at']);
  const seen = async () => {
    const { document } = await app.get('organization/audit-trail', acme.owner.token);
    return [
      ...new Set(
        document.data.map((one: { auth: object }) => (one.auth as { organization_id: string }).organization_id),
      ),
    ];
  };
  expect(await seen()).toEqual([rival.key]);
  const listed = await app.get(`organizations/${acme.name}/audit-events`, acme.owner.token);
  expect(listed.data[0].attributes.action).toBe('audit-configurations.update');
  await app.patch(
    `organizations/${rival.name}/audit-configuration`,
    acme.owner.token,
    bodyOf('audit-configurations', trails(false)),
  );
  expect((await app.get('organization/audit-trail', acme.owner.token)).status).toBe(404);
  await update(trails(true));
  expect(await seen()).toEqual([acme.key]);
});

test('§7 streaming cannot be switched on, and words are no switch: 422; members may do neither: 404', async () => {
  const streamed = await update({ ...trails(false), 'hcp-audit-log-streaming': { enabled: true } });
  expect([streamed.status, streamed.pointers]).toEqual([422, ['/data/attributes/hcp-audit-log-streaming/enabled']]);
  const worded = await update(trails('yes'));
  expect([worded.status, worded.pointers]).toEqual([422, ['/data/attributes/audit-trails/enabled']]);
  const { token } = await member(app, acme);
  expect([(await app.get(path(), token)).status, (await update(trails(false), token)).status]).toEqual([404, 404]);
  expect((await app.get(path(), acme.owner.token)).data.attributes['audit-trails']).toEqual({ enabled: true });
});
