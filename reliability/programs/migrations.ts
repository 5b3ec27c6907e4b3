/** R11: the schema is brought up to date while the release before goes on serving, which it still does afterwards. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, readMigrations, readMigrationsIn } from '../../src/core/store/migrate.ts';
import { type Outcome, openClient } from '../client.ts';
import { loadAt, tally } from '../load.ts';
import { openPostgres } from '../postgres.ts';
import { atMost, type Finding, type Program, seen } from '../program.ts';
import { buildRelease, commitBefore } from '../release.ts';
import { adminToken, type Server, server } from '../server.ts';
import { described, furnish, mixedRequests } from '../world.ts';

const perSecond = 100;
const between_ms = 2000;

/** `count` is how many migrations lie between the releases. */
export const migrations: Program = async ({ count = 3, migrations: directory, say, ...told }) => {
  const release = await buildRelease(commitBefore(count));
  const postgres = await openPostgres(told.postgres);
  const before = await server(postgres, { ...told, program: release.program });
  await before.start();
  say(`the release before is ${release.commit}`);
  const next = mixedRequests(await furnish(before, 'migrated', 50));
  const client = openClient({ port: before.port, token: adminToken });
  const load = loadAt(perSecond, () => client.ask(...next()));
  await sleep(between_ms);
  const all = directory ? readMigrationsIn(directory) : readMigrations();
  const applied: string[] = [];
  const landed = await postgres.query(sql => sql<{ version: number }[]>`select version from schema_migrations`);
  const known = new Set(landed.map(({ version }) => version));
  for (const { version, name } of all.filter(one => !known.has(one.version))) {
    known.add(version);
    applied.push(
      ...(
        await migrate(
          { url: postgres.url },
          all.filter(one => known.has(one.version)),
        )
      ).applied,
    );
    await sleep(between_ms);
    say(`${name}: ${tally(load.outcomes)}`);
  }
  const onNew = await smoke(before, 'before-on-new');
  const now = await server(postgres, { ...told, program: told.program });
  const nowFailed = directory ? [] : await startAndSmoke(now);
  const outcomes = await load.end();
  client.close();
  return [
    { ...seen('migrations applied under load', applied.length), found: applied.join(', ') },
    seen('requests', outcomes.length),
    {
      ...atMost('answers other than 200', outcomes.filter(({ status }) => status !== 200).length, 0),
      found: tally(outcomes),
    },
    failures('the release before, on the new schema', onNew),
    failures('this release beside it', nowFailed),
  ];
};

const failures = (what: string, failed: readonly string[]): Finding => ({
  ...atMost(`smoke tests that fail: ${what}`, failed.length, 0),
  found: failed.join('; ') || 'none',
});

async function startAndSmoke(one: Server): Promise<string[]> {
  await one.start();
  return smoke(one, 'now');
}

/** A little of everything that clients do all day. Returns what was not answered as it should be. */
async function smoke({ port }: Server, organization: string): Promise<string[]> {
  const client = openClient({ port, token: adminToken });
  const failed: string[] = [];
  const expect = async (statuses: number[], ...asked: Parameters<typeof client.ask>): Promise<Outcome> => {
    const outcome = await client.ask(...asked);
    if (!statuses.includes(outcome.status)) failed.push(`${asked[0]} ${asked[1]} → ${outcome.fault ?? outcome.status}`);
    return outcome;
  };
  const data = (type: string, attributes: object) => ({ data: { type, attributes } });
  const idOf = ({ document }: Outcome): string => document?.data?.id ?? 'none';
  await expect([201], 'POST', 'organizations', data('organizations', { name: organization, email: 'a@example.com' }));
  const path = `organizations/${organization}`;
  const team = idOf(await expect([200], 'POST', `${path}/teams`, data('teams', { name: 'smoke' })));
  const project = idOf(await expect([201], 'POST', `${path}/projects`, data('projects', { name: 'smoke' })));
  const id = idOf(await expect([201], 'POST', `${path}/workspaces`, data('workspaces', { name: 'smoke' })));
  const workspace = `workspaces/${id}`;
  await expect([200], 'PATCH', workspace, described('smoke'));
  await expect([201], 'POST', `${workspace}/vars`, data('vars', { key: 'one', value: '1', category: 'terraform' }));
  await expect([200], 'POST', `${workspace}/actions/lock`, { reason: 'smoke' });
  const state = Buffer.from('{"version":4,"serial":1,"lineage":"smoke","outputs":{},"resources":[]}');
  const md5 = createHash('md5').update(state).digest('hex');
  const version = data('state-versions', { serial: 1, md5, lineage: 'smoke', state: state.toString('base64') });
  await expect([201], 'POST', `${workspace}/state-versions`, version);
  await expect([200], 'POST', `${workspace}/actions/unlock`);
  await expect([201], 'POST', `${workspace}/configuration-versions`, data('configuration-versions', {}));
  for (const read of ['vars', 'current-state-version', 'runs', 'tag-bindings'])
    await expect([200], 'GET', `${workspace}/${read}`);
  for (const read of ['workspaces', 'teams', 'projects', 'organization-memberships', 'runs', 'audit-events']) {
    await expect([200], 'GET', `${path}/${read}`);
  }
  await expect([200], 'GET', `${path}/workspaces?search[name]=smo&include=project`);
  await expect([204], 'POST', `${workspace}/actions/safe-delete`);
  await expect([204], 'DELETE', `projects/${project}`);
  await expect([204], 'DELETE', `teams/${team}`);
  client.close();
  return failed;
}
