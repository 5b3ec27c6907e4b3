/** §3 between processes: two servers as operators run them share nothing but the database. */
import { expect, test } from 'vitest';
import { bodyOf } from '../../../test/builders/records.ts';
import { createEmptyDatabase, reachableUrl } from '../../../test/running/database.ts';
import { asked } from '../../../test/running/pair.ts';
import { startServer } from '../../../test/running/server.ts';

/** The figure in CI; more rounds on request. */
const rounds = asked('TERRANE_TEST_LOCK_ROUNDS', 5);

test(`§3 of 100 lock attempts on two server processes exactly one gets 200, the others 409, in ${rounds} rounds`, {
  timeout: 60_000 + rounds * 5_000,
}, async () => {
  const database = await createEmptyDatabase();
  const { url, close } = await reachableUrl(database.connection);
  const settings = {
    DATABASE_URL: url,
    TERRANE_TOKEN_PEPPER: 'sixteen characters',
    TERRANE_ENCRYPTION_KEY: 'sixteen characters',
  };
  const servers = [await startServer(settings), await startServer(settings)] as const;
  try {
    const [one, two] = servers;
    expect(one.pid).not.toBe(two.pid);
    const either = (index: number) => servers[index % 2]!;
    await one.call('POST', 'organizations', bodyOf('organizations', { name: 'acme', email: 'admin@example.com' }));
    const made = await two.call('POST', 'organizations/acme/workspaces', bodyOf('workspaces', { name: 'main' }));
    const path = `workspaces/${made.document.data.id}`;
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          either(index).call('POST', `${path}/actions/lock`, { reason: `attempt ${index}` }),
        ),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect([winners.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 99]);
      const shown = await either(round).call('GET', path);
      const { attributes } = winners[0]!.document.data;
      expect(shown.document.data.attributes['locked-reason']).toBe(attributes['locked-reason']);
      expect((await either(round).call('POST', `${path}/actions/unlock`)).status).toBe(200);
    }
  } finally {
    for (const server of servers) await server.end();
    close();
    await database.drop();
  }
});
