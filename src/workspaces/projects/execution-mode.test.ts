import { describe, expect, test } from 'vitest';
import { type ModeGiven, type OwnMode, settleMode } from './execution-mode.ts';

const remote: OwnMode = {
  overwrites_execution_mode: true,
  default_execution_mode: 'remote',
  default_agent_pool_id: null,
};
const agent: OwnMode = { ...remote, default_execution_mode: 'agent', default_agent_pool_id: 'apool-1' };

const following: OwnMode = {
  overwrites_execution_mode: false,
  default_execution_mode: null,
  default_agent_pool_id: null,
};

const nothing: ModeGiven = { mode: undefined, pools: [], overwrites: undefined };
const own = { 'default-execution-mode': true, 'default-agent-pool': true };
const inherited = { 'execution-mode': false, 'agent-pool': false };

describe('a project with an execution mode', () => {
  test.each<[string, OwnMode, Partial<ModeGiven>, OwnMode]>([
    ['nothing given, nothing changes', agent, {}, agent],
    ['nothing given, it goes on following', following, {}, following],
    ['a mode alone becomes its own', following, { mode: 'remote' }, remote],
    ['the mode agent with its pool', remote, { mode: 'agent', pools: ['apool-1'] }, agent],
    ['the same pool in both spellings', remote, { mode: 'agent', pools: ['apool-1', 'apool-1'] }, agent],
    ['an empty pool beside another mode', agent, { mode: 'remote', pools: ['', null] }, remote],
    ['another mode clears the pool', agent, { mode: 'remote' }, remote],
    ['the mode agent again keeps the pool', agent, { mode: 'agent' }, agent],
    ['another pool alone', agent, { pools: ['apool-2'] }, { ...agent, default_agent_pool_id: 'apool-2' }],
    ['what is not overwritten is inherited', agent, { overwrites: inherited }, following],
    ['false wins over a mode', agent, { mode: 'agent', pools: ['x'], overwrites: inherited }, following],
    ['true with a mode', following, { mode: 'remote', overwrites: own }, remote],
    ['true again keeps what there is', agent, { overwrites: own }, agent],
  ])('§4.2 %s', (_name, before, given, after) => {
    expect(settleMode({ ...nothing, ...given }, before)).toEqual({ after, faults: [] });
  });

  test.each<[string, OwnMode, Partial<ModeGiven>, string]>([
    ['agent without a pool', remote, { mode: 'agent' }, "must be specified when using 'agent' execution mode"],
    ['a pool without agent', remote, { mode: 'local', pools: ['apool-1'] }, 'must not be specified unless using'],
    ['a pool while following', following, { pools: ['apool-1'] }, 'must not be specified unless using'],
    ['true without a mode', following, { overwrites: own }, 'Default execution mode must be given'],
    ['two pools', remote, { mode: 'agent', pools: ['apool-1', 'apool-2'] }, 'differs'],
    [
      'one key true, the other false',
      remote,
      { overwrites: { 'execution-mode': true, 'agent-pool': false } },
      'If agent-pool and execution-mode are both included in setting-overwrites, their values must be the same.',
    ],
  ])('§4.2 %s → refused, nothing changes', (_name, before, given, reason) => {
    const { after, faults } = settleMode({ ...nothing, ...given }, before);
    expect(after).toEqual(before);
    expect(faults.map(fault => fault.values?.['reason'])).toEqual([expect.stringContaining(reason)]);
  });
});
