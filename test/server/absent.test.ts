/** §7: what clients may ask of other servers of this interface and Terrane does not have is 404 at once. */
import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../app.ts';
import { organization, type TestOrganization } from '../builders/records.ts';
import { workspace } from '../builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
});

const ofOrganizations = [
  'policies',
  'policy-sets',
  'registry-modules',
  'registry-providers',
  'stacks',
  'hyok-configurations',
  'explorer',
  'feature-sets',
  'subscription',
  'saml-settings',
];
const ofWorkspaces = ['policy-sets', 'assessment-results'];
const others = ['admin/terraform-settings', 'github-app/installations', 'no-code-modules/nocode-1', 'plan-exports'];

test('§7 an address that Terrane does not have → 404 to whoever has a token, with or without a body; else 401', async () => {
  const addresses = [
    ...ofOrganizations.map(name => `organizations/${acme.name}/${name}`),
    ...ofWorkspaces.map(name => `workspaces/${workspaceId}/${name}`),
    ...others,
  ];
  const missing = (await app.get('teams/team-none', acme.owner.token)).text;
  for (const address of addresses) {
    const answers = [
      await app.get(address, acme.owner.token),
      await app.post(address, acme.owner.token, { data: { type: 'anything' } }),
      await app.patch(address, acme.owner.token, {}),
      await app.delete(address, acme.owner.token),
    ];
    for (const { status, text } of answers) expect([address, status, text]).toEqual([address, 404, missing]);
    expect([address, (await app.get(address, null)).status]).toEqual([address, 401]);
  }
});
