/** §3 and §5: what follows from who is calling, without asking anybody. */
import { expect, test } from 'vitest';
import { type Actor, addressee, holderOf, organizationsWhere, type Standing, standingIn, visitor } from './actor.ts';

const member: Standing = { isMember: true, isOwner: false, organizationAccess: 4 };
const owner: Standing = { isMember: true, isOwner: true, organizationAccess: 0 };
const ann: Actor = {
  ...visitor,
  kind: 'user',
  userId: 'user-ann',
  standings: new Map([
    ['org-acme', member],
    ['org-rival', owner],
  ]),
};
const ofTeam: Actor = { ...ann, kind: 'team', userId: 'user-of-team', teamId: 'team-1' };
const ofOrganization: Actor = { ...ann, kind: 'organization', userId: 'user-of-org', organizationId: 'org-acme' };
const ofRun: Actor = {
  ...ann,
  kind: 'run',
  run: { runId: 'run-1', workspaceId: 'ws-1', organizationId: 'org-acme', phase: 'apply' },
};

test('§5.1 whoever has shown nothing is nobody anywhere', () => {
  expect(visitor).toMatchObject({ kind: 'visitor', userId: 'visitor', username: 'visitor', isSiteAdmin: false });
  expect([visitor.teamIds, [...visitor.standings], visitor.withheld]).toEqual([[], [], []]);
  expect(standingIn(visitor, 'org-acme')).toEqual({ isMember: false, isOwner: false, organizationAccess: 0 });
});

test('§5.2 a standing is in its own organization, and in no other there is one', () => {
  expect(standingIn(ann, 'org-acme')).toEqual(member);
  expect(standingIn(ann, 'org-rival')).toEqual(owner);
  expect(standingIn(ann, 'org-else')).toEqual({ isMember: false, isOwner: false, organizationAccess: 0 });
  expect(organizationsWhere(ann, ({ isMember }) => isMember)).toEqual(['org-acme', 'org-rival']);
  expect(organizationsWhere(ann, ({ isOwner }) => isOwner)).toEqual(['org-rival']);
  expect(organizationsWhere(ann, (_standing, id) => id === 'org-acme')).toEqual(['org-acme']);
});

test('§3 a lock is held by the run, by the team, else by the account', () => {
  expect([ann, ofTeam, ofOrganization, ofRun].map(holderOf)).toEqual([
    { type: 'users', id: 'user-ann' },
    { type: 'teams', id: 'team-1' },
    { type: 'users', id: 'user-of-org' },
    { type: 'runs', id: 'run-1' },
  ]);
});

test('§3 an address is given to the run, else to the account, whichever of its tokens it uses', () => {
  expect([ann, ofTeam, ofRun].map(addressee)).toEqual(['user-ann', 'user-of-team', 'run-1']);
});
