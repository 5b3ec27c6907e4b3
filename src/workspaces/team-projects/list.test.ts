import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { member, organization, person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { project } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let projectId: string;
beforeAll(async () => {
  acme = await organization(app);
  projectId = await project(app, acme);
});
const { give, patch, list } = accessRequests(app, 'project', () => ({ token: acme.owner.token, to: projectId }));

describe('the list', () => {
  let of: TestOrganization;
  let to: string;
  let teamIds: string[];
  beforeAll(async () => {
    of = await organization(app);
    to = await project(app, of);
    teamIds = [await team(app, of), await team(app, of), await team(app, of)];
    for (const id of teamIds) await give(id, { access: 'read' }, { token: of.owner.token, to });
    await give(teamIds[0]!, { access: 'read' }, { token: of.owner.token, to: of.projectId });
  });
  const teamsIn = (answer: Answer) => answer.data.map((one: Document) => one.relationships.team.data.id);

  test('§5.4 is paginated with the true total, also past the end', async () => {
    const page = await list(`?filter[project][id]=${to}&page[size]=2`, of.owner.token);
    expect(page.status).toBe(200);
    expect(teamsIn(page)).toEqual(teamIds.slice(0, 2));
    expect(page.document.meta.pagination).toMatchObject({ 'total-count': 3, 'total-pages': 2 });
    const past = await list(`?filter[project][id]=${to}&page[number]=999`, of.owner.token);
    expect(past.data).toEqual([]);
    expect(past.document.meta.pagination).toMatchObject({ 'current-page': 999, 'total-count': 3 });
    expect(teamsIn(await list(`?filter[project][id]=${to}&filter[team][id]=${teamIds[2]}`, of.owner.token))).toEqual([
      teamIds[2],
    ]);
  });

  test('§1 without filter[project][id] → 400 at the parameter; an unknown project → 404', async () => {
    const answer = await list('');
    expect(answer.status).toBe(400);
    expect(answer.pointers).toEqual(['filter[project][id]']);
    expect((await list('?filter[project][id]=prj-0000000000000000')).status).toBe(404);
  });

  test("§5.4 members see their own teams' records, who may read teams all, strangers none", async () => {
    const mine = await member(app, of, teamIds[1]!);
    expect(teamsIn(await list(`?filter[project][id]=${to}`, mine.token))).toEqual([teamIds[1]]);
    const readers = await team(app, of);
    const given = { access: 'custom', 'project-access': { teams: 'read' } };
    const record = await give(readers, given, { token: of.owner.token, to });
    const reader = await member(app, of, readers);
    expect(teamsIn(await list(`?filter[project][id]=${to}`, reader.token))).toHaveLength(4);
    expect((await app.get(`team-projects/${record.data.id}`, mine.token)).status).toBe(404);
    expect((await patch(record.data.id, { access: 'admin' }, reader.token)).status).toBe(404);
    const missing = await list('?filter[project][id]=prj-0000000000000000');
    for (const { token } of [await member(app, of), acme.owner, await person(app)]) {
      expect((await list(`?filter[project][id]=${to}`, token)).text).toBe(missing.text);
    }
  });
});
