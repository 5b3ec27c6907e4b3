// PostgreSQL is taken away under runs that a real engine executes, and comes back after a while.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openPostgres, type Postgres } from '../../reliability/postgres.ts';
import { endEverything } from '../../reliability/processes.ts';
import { apply, describeExecuting, slow } from './executing.ts';

const away_ms = 20_000;
let postgres: Postgres;

afterAll(endEverything);

describeExecuting(
  executing => {
    const { directory, server, workspace, runsOf, statusIs, logOf } = executing;
    /** Takes PostgreSQL away where it stands, with every connection, and brings it back. */
    async function takeAway(): Promise<void> {
      await postgres.stop();
      await sleep(away_ms);
      await postgres.start();
    }
    const resourcesIn = async (name: string) => {
      const { id } = await workspace(name);
      return (await server().api('GET', `workspaces/${id}/resources`)).data.map(
        ({ attributes }: { attributes: { address: string } }) => attributes.address,
      );
    };

    test('§3 a plan that PostgreSQL leaves, and the apply behind it, come to their end', async () => {
      const { start } = await directory('left-while-planning');
      const begun = start(...apply);
      await statusIs('left-while-planning', 'planning');
      await takeAway();
      await statusIs('left-while-planning', 'applied');
      expect(await begun.ended).toMatchObject({ status: 0, output: expect.stringContaining('Apply complete!') });
    });

    test('§3 an apply that PostgreSQL leaves while it begins comes to its end, and has happened once', async () => {
      const { start } = await directory('left-at-the-beginning', slow(3));
      const begun = start(...apply);
      await statusIs('left-at-the-beginning', 'applying');
      await takeAway();
      await statusIs('left-at-the-beginning', 'applied');
      const [{ id }] = await runsOf('left-at-the-beginning');
      expect((await logOf(id, 'apply')).match(/Apply complete/g)).toHaveLength(1);
      expect(await begun.ended).toMatchObject({ status: 0, output: expect.stringContaining('Apply complete!') });
    });

    test('§3 an apply that PostgreSQL leaves before its state was saved saves it when that is back', async () => {
      const { start } = await directory('left-before-the-state', slow(5));
      const begun = start(...apply);
      const { id } = await executing.slowHasBegun('left-before-the-state');
      await takeAway();
      await statusIs('left-before-the-state', 'applied');
      const { attributes } = await workspace('left-before-the-state');
      expect(attributes.locked).toBe(false);
      expect((await resourcesIn('left-before-the-state')).sort()).toEqual([
        'terraform_data.one',
        'terraform_data.slow',
      ]);
      const log = await logOf(id, 'apply');
      expect([log.match(/Apply complete/g)?.length, log.match(/"output":"begun/g)?.length]).toEqual([1, 1]);
      expect(await begun.ended).toMatchObject({ status: 0, output: expect.stringContaining('Apply complete!') });
    });
  },
  async () => {
    postgres = await openPostgres();
    return {
      DATABASE_URL: postgres.url,
      TERRANE_TOKEN_PEPPER: 'a pepper of many letters',
      TERRANE_ENCRYPTION_KEY: 'a key of many letters',
    };
  },
);
