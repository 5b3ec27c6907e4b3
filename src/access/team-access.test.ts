import { expect, test } from 'vitest';
import type { Actor } from '../core/access/actor.ts';
import { teamAccessPowers } from './policy.ts';
import { readOnlyFaults, teamAccessPowersOn } from './team-access.ts';

test('§5.4 what is given beside a level is refused, each at its place; a custom record takes all of it', () => {
  expect(readOnlyFaults('custom', ['runs', 'state-versions'])).toEqual([]);
  const faults = readOnlyFaults('write', ['runs', 'state-versions'], 'workspace-access/');
  expect(faults.map(({ source }) => source)).toEqual([
    { pointer: '/data/attributes/workspace-access/runs' },
    { pointer: '/data/attributes/workspace-access/state-versions' },
  ]);
  expect(faults[1]!.values?.['reason']).toMatch(/^State versions is read-only when access level is 'write'/);
});

test('§5.4 a record is read by its team, by who sees all of them and by who manages them; only the last changes it', () => {
  const of = (teamId: string, seesAll = false, manages = false) => {
    const powers = teamAccessPowersOn({ team_id: 'team-1' }, { teamIds: [teamId] } as unknown as Actor, {
      seesAll,
      manages,
    });
    return teamAccessPowers.names.filter(name => teamAccessPowers.has(powers, name));
  };
  expect(of('team-2')).toEqual([]);
  expect(of('team-1')).toEqual(['read']);
  expect(of('team-2', true)).toEqual(['read']);
  expect(of('team-2', false, true)).toEqual(['read', 'manage']);
});
