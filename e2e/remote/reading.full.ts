// PostgreSQL is away for 25 seconds in the moment in which a command line reads something of its run.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openPostgres } from '../../reliability/postgres.ts';
import { endEverything } from '../../reliability/processes.ts';
import { type Door, openDoor } from '../../test/running/door.ts';
import { apply, describeExecuting, freePort } from './executing.ts';

const away_ms = 25_000;
/** Before the server, and before its PostgreSQL. */
let front: Door;
let back: Door;
afterAll(async () => {
  await front?.shut();
  await back?.shut();
  await endEverything();
});

const reads = (path: string) => new RegExp(`^GET ${path}`);

describeExecuting(
  ({ directory, statusIs }) => {
    test.each([
      ['the log of the plan', reads('/_blobs/plans/plan-\\w+/log')],
      ['the plan as it is shown', reads('/api/v2/plans/plan-\\w+/json-output-redacted ')],
      ['its content', reads('/_blobs/plans/plan-\\w+/redacted')],
      ['the log of the apply', reads('/_blobs/applies/apply-\\w+/log')],
    ])(
      '§2.2 PostgreSQL is away for 25 seconds while %s is read: the command line waits and goes on',
      async (what, request) => {
        const name = `reads-${what.replaceAll(' ', '-')}`;
        const { run } = await directory(name);
        let went: Promise<void> | undefined;
        front.whenAsked(request, () => {
          went = back
            .shut()
            .then(() => sleep(away_ms))
            .then(() => back.open());
        });
        const ran = await run(...apply);
        expect(went).toBeDefined();
        await went;
        expect(ran).toMatchObject({ status: 0, output: expect.stringContaining('Apply complete! Resources: 1 added') });
        expect(ran.output).toContain('Plan: 1 to add');
        await statusIs(name, 'applied');
      },
    );
  },
  async () => {
    const [port, postgres] = [await freePort(), new URL((await openPostgres()).url)];
    front = await openDoor({ host: '127.0.0.1', port }, { host: '127.0.0.1' });
    back = await openDoor({ host: postgres.hostname, port: Number(postgres.port) }, { host: '127.0.0.1' });
    postgres.host = `127.0.0.1:${back.port}`;
    return {
      PORT: String(port),
      TERRANE_PUBLIC_URL: `http://127.0.0.1:${front.port}`,
      DATABASE_URL: postgres.href,
      TERRANE_TOKEN_PEPPER: 'a pepper of many letters',
      TERRANE_ENCRYPTION_KEY: 'a key of many letters',
    };
  },
);
