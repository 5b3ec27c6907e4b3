// `terrane retention` as an operator runs it, beside a server on the embedded PostgreSQL.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openAppOn } from '../../test/app.ts';
import { bodyOf, organization } from '../../test/builders/records.ts';
import { stateClient, stateOf } from '../../test/builders/state.ts';
import { workspace } from '../../test/builders/workspace.ts';
import { fingerprint } from '../../test/nets/rows.ts';
import { createDataDirectory, createDirectory } from '../../test/running/database.ts';
import { prepareDataDirectory } from '../../test/running/prepared.ts';
import { program } from '../../test/running/program.ts';
import { startEmbedded } from '../core/store/embedded.ts';

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: console.warn, error: console.error };

function retention(environment: Record<string, string>, ...options: string[]) {
  const ran = spawnSync(process.execPath, [...program, 'retention', ...options], {
    env: environment,
    encoding: 'utf8',
  });
  return { status: ran.status, output: ran.stdout, errors: ran.stderr };
}

test('§9.2 in the hosted edition there is nothing to do, and the command says so', () => {
  const ran = retention({ TERRANE_EDITION: 'hosted', TERRANE_DATA_DIR: createDirectory() });
  expect(ran).toMatchObject({ status: 1, output: '' });
  expect(ran.errors).toContain('nothing is deleted');
});

test('§4.7 a dry run prints what would go and changes nothing; without it the same goes', async () => {
  const dataDirectory = await prepareDataDirectory(createDataDirectory());
  const environment = { TERRANE_DATA_DIR: dataDirectory };
  const embedded = await startEmbedded({ dataDirectory, log, durable: false });
  const app = await openAppOn({ connection: embedded.connection, drop: async () => undefined });
  try {
    const acme = await organization(app);
    const id = await workspace(app, acme, { name: 'network' });
    const client = stateClient(app, id, acme.owner.token);
    await client.lock();
    const old = (await client.push(stateOf())).data.id;
    await client.push(stateOf({ serial: 2 }), { serial: 2 });
    const policy = bodyOf('data-retention-policy-delete-olders', { 'delete-older-than-n-days': 30 });
    await app.post(`workspaces/${id}/relationships/data-retention-policy`, acme.owner.token, policy);
    await app.store.read`update state_versions set created_at = now() - interval '31 days'`;
    const before = await fingerprint(app.store);
    expect(JSON.parse(retention(environment, '--dry-run', '--json').output)).toEqual({
      due: [
        {
          organization: acme.name,
          workspace: 'network',
          kind: 'state-versions',
          id: old,
          'age-days': 31,
          'delete-older-than-n-days': 30,
        },
      ],
    });
    expect(retention(environment, '--dry-run').output).toBe(
      `${acme.name}  network  state-versions  ${old}  31 days\nThe content of 1 would go; nothing was deleted.\n`,
    );
    expect(await fingerprint(app.store)).toEqual(before);
    expect(JSON.parse(retention(environment, '--json').output)).toEqual({
      deleted: { 'state-versions': 1, 'configuration-versions': 0 },
      postponed: 0,
    });
    expect(JSON.parse(retention(environment, '--dry-run', '--json').output)).toEqual({ due: [] });
  } finally {
    await app.close();
    await embedded.stop();
  }
}, 90_000);
