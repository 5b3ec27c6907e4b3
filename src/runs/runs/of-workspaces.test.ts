/** §4.3 What workspaces show of their runs: references, includes, the filter and the sort, and what they cost. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, useApp } from '../../../test/app.ts';
import { organization, type TestOrganization } from '../../../test/builders/records.ts';
import { move, run } from '../../../test/builders/run.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
const runs: string[] = [];

beforeAll(async () => {
  acme = await organization(app);
  for (const name of ['first', 'second', 'third']) {
    runs.push(await run(app, acme, await workspace(app, acme, { name })));
  }
  await workspace(app, acme, { name: 'without' });
  await move(app, runs[1]!, 'planning', 'planned');
});

const list = (query: string) => app.get(`organizations/${acme.name}/workspaces?${query}`, acme.owner.token);
const namesOf = async (query: string) => (await list(query)).data.map((one: Document) => one.attributes.name);

test('§4.3 the filter and the sort by the current run follow the runs', async () => {
  expect(await namesOf('filter[current-run][status]=plan_queued')).toEqual(['first', 'third']);
  expect(await namesOf('filter[current-run][status]=planned,errored')).toEqual(['second']);
  expect(await namesOf('sort=current-run.created-at')).toEqual(['first', 'second', 'third', 'without']);
  expect(await namesOf('sort=-current-run.created-at')).toEqual(['third', 'second', 'first', 'without']);
  await move(app, runs[2]!, 'discarded');
  expect(await namesOf('filter[current-run][status]=discarded')).toEqual(['third']);
});

describe('§4.3 include', () => {
  const paths = [
    ['current_run', ['runs']],
    ['latest_run', ['runs']],
    ['current_run.plan', ['runs', 'plans']],
    ['latest-run.plan', ['runs', 'plans']],
    ['current_run.apply', ['runs', 'applies']],
    ['current_run.configuration_version', ['runs', 'configuration-versions']],
    ['current_run.configuration_version.ingress_attributes', ['runs', 'configuration-versions']],
    ['current_configuration_version', ['configuration-versions']],
    ['current_configuration_version.ingress_attributes', ['configuration-versions']],
    ['locked_by', ['runs']],
  ] as const;

  test.each(paths)('%s of a workspace and of a page', async (path, types) => {
    const [one] = (await list('search[name]=first')).data;
    const shown = await app.get(`workspaces/${one.id}?include=${path}`, acme.owner.token);
    expect(shown.document.included.map(({ type }: Document) => type)).toEqual(types);
    const listed = (await list(`include=${path}`)).document.included;
    for (const type of types) {
      const own = shown.document.included.find((found: Document) => found.type === type);
      expect(listed).toContainEqual(own);
    }
  });

  test('the record that is included is the one that is shown', async () => {
    const { document } = await list('include=current_run.plan&search[name]=second');
    const [included, plan] = document.included;
    expect(included).toEqual((await app.get(`runs/${runs[1]}`, acme.owner.token)).data);
    expect(plan).toEqual((await app.get(`runs/${runs[1]}/plan`, acme.owner.token)).data);
  });
});

describe('statements', () => {
  const statementsOf = async (path: string) => {
    await app.get(path, acme.owner.token);
    return app.statementsOf(() => app.get(path, acme.owner.token));
  };

  test('show with its figures → 1; a page with runs and configuration versions → at most 4, whatever its size', async () => {
    const [one] = (await list('search[name]=first')).data;
    expect(await statementsOf(`workspaces/${one.id}`)).toHaveLength(1);
    for (const size of [1, 20]) {
      const page = `organizations/${acme.name}/workspaces?page[size]=${size}`;
      for (const include of ['current_run.plan', 'current_run,current_configuration_version']) {
        expect((await statementsOf(`${page}&include=${include}`)).length).toBeLessThanOrEqual(4);
      }
    }
  });
});
