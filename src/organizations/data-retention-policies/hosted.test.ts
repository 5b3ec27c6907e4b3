import { expect, test } from 'vitest';
import { useApp } from '../../../test/app.ts';
import { bodyOf, organization } from '../../../test/builders/records.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp({ TERRANE_EDITION: 'hosted' });

test('§9.2 the hosted edition has no data retention policies: 404 for all of it, and no relationship', async () => {
  const acme = await organization(app);
  const holders = [`workspaces/${await workspace(app, acme)}`, `organizations/${acme.name}`];
  const body = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 3 });
  for (const holder of holders) {
    for (const verb of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const asked = { token: acme.owner.token, ...(/POST|PATCH/.test(verb) && { body }) };
      const answer = await app.call(verb, `${holder}/relationships/data-retention-policy`, asked);
      expect([verb, answer.status]).toEqual([verb, 404]);
    }
    const { relationships } = (await app.get(holder, acme.owner.token)).data;
    expect(Object.keys(relationships)).not.toContain('data-retention-policy');
    expect(Object.keys(relationships).length).toBeGreaterThan(0);
  }
});
