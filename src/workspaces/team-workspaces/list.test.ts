import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, useApp } from '../../../test/app.ts';
import { member, organization, person, type TestOrganization, team } from '../../../test/builders/records.ts';
import { accessRequests } from '../../../test/builders/team-access.ts';
import { workspace } from '../../../test/builders/workspace.ts';

const app = useApp();
let acme: TestOrganization;
let workspaceId: string;
beforeAll(async () => {
  acme = await organization(app);
  workspaceId = await workspace(app, acme);
});
const { give, list } = accessRequests(app, 'workspace', () => ({ token: acme.owner.token, to: workspaceId }));

describe('the list', () => {
  let of: TestOrganization;
  let to: string;
  let teamIds: string[];
  beforeAll(async () => {
    of = await organization(app);
    to = await workspace(app, of);
    teamIds = [await team(app, of), await team(app, of), await team(app, of)];
    for (const id of teamIds) await give(id, { access: 'read' }, { token: of.owner.token, to });
    await give(teamIds[0]!, { access: 'read' }, { token: of.owner.token, to: await workspace(app, of) });
  });
  const teamsIn = (answer: Answer) => answer.data.map((one: Document) => one.relationships.team.data.id);

  test('§5.4 is whole without page parameters, and paginated with them', async () => {
    const whole = await list(`?filter[workspace][id]=${to}`, of.owner.token);
    expect(whole.status).toBe(200);
    expect(teamsIn(whole)).toEqual(teamIds);
    expect(whole.document.meta).toBeUndefined();
    const page = await list(`?filter%5Bworkspace%5D%5Bid%5D=${to}&page[size]=2&page[number]=2`, of.owner.token);
    expect(teamsIn(page)).toEqual([teamIds[2]]);
    expect(page.document.meta.pagination['total-count']).toBe(3);
  });

  test('§5.4 takes one team of them', async () => {
    const answer = await list(`?filter[workspace][id]=${to}&filter[team][id]=${teamIds[1]}`, of.owner.token);
    expect(teamsIn(answer)).toEqual([teamIds[1]]);
  });

  test('§1 without filter[workspace][id] → 400 at the parameter; an unknown workspace → 404', async () => {
    for (const query of ['', '?filter[workspace][id]=']) {
      const answer = await list(query);
      expect(answer.status).toBe(400);
      expect(answer.pointers).toEqual(['filter[workspace][id]']);
    }
    expect((await list('?filter[workspace][id]=ws-0000000000000000')).status).toBe(404);
  });

  test("§5.4 members see their own teams' records, admins of the workspace all, strangers none", async () => {
    const mine = await member(app, of, teamIds[1]!);
    const own = await list(`?filter[workspace][id]=${to}`, mine.token);
    expect(teamsIn(own)).toEqual([teamIds[1]]);
    const { data } = await list(`?filter[workspace][id]=${to}`, of.owner.token);
    for (const record of data) {
      const isOwn = record.relationships.team.data.id === teamIds[1];
      expect((await app.get(`team-workspaces/${record.id}`, mine.token)).status).toBe(isOwn ? 200 : 404);
    }
    const admins = await team(app, of);
    await give(admins, { access: 'admin' }, { token: of.owner.token, to });
    const admin = await member(app, of, admins);
    expect(teamsIn(await list(`?filter[workspace][id]=${to}`, admin.token))).toHaveLength(4);
    const missing = await list('?filter[workspace][id]=ws-0000000000000000');
    for (const { token } of [await member(app, of), acme.owner, await person(app)]) {
      expect((await list(`?filter[workspace][id]=${to}`, token)).text).toBe(missing.text);
    }
  });
});
