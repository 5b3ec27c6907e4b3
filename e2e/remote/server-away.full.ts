// The server is killed under runs that a real engine executes, at the moments at which engines ask it, and comes back after a while.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { apply, describeExecuting, slow } from './executing.ts';

/** Longer than an engine asks again by itself. */
const away_ms = 40_000;
const place = createDirectory();
const [hooks, signs] = [join(place, 'hooks'), join(place, 'signs')];
const go = join(signs, 'go');

describeExecuting(
  executing => {
    const { directory, workspace, statusIs, runsOf, logOf } = executing;
    beforeEach(() => rmSync(go, { force: true }));

    const shownIn = (id: string, phase: 'plan' | 'apply', text: string) =>
      expect.poll(() => logOf(id, phase), { timeout: 60_000, interval: 100 }).toContain(text);
    /** Lets the engine that waits behind its hook begin while nobody listens, and starts the server again. */
    const beginWhileAway = () =>
      executing.killAndStart(async () => {
        writeFileSync(go, '');
        await sleep(away_ms);
      });
    async function newestRun(name: string): Promise<string> {
      await expect.poll(async () => (await runsOf(name)).length, { timeout: 30_000, interval: 100 }).toBe(1);
      return (await runsOf(name))[0].id;
    }

    describe('§2.2 a server that is down in the moment in which', () => {
      test('the engine of a plan begins: the plan is made when it is back, and is applied', async () => {
        hook('pre-plan');
        const { start } = await directory('down-before-plan');
        start(...apply);
        const id = await newestRun('down-before-plan');
        await shownIn(id, 'plan', 'behind its hook');
        await beginWhileAway();
        await statusIs('down-before-plan', 'applied');
        expect((await logOf(id, 'plan')).match(/Plan: 1 to add/g)).toHaveLength(1);
      });

      test('the engine of an apply begins: it applies when it is back, once', async () => {
        hook('pre-apply');
        const { start } = await directory('down-before-apply', slow(1));
        start(...apply);
        const id = await newestRun('down-before-apply');
        await shownIn(id, 'apply', 'behind its hook');
        await beginWhileAway();
        await statusIs('down-before-apply', 'applied');
        const log = await logOf(id, 'apply');
        expect([log.match(/Apply complete/g)?.length, log.match(/"output":"begun/g)?.length]).toEqual([1, 1]);
      });

      test('the state of an apply is to be saved: it is saved when it is back', async () => {
        hook('none');
        const { start } = await directory('down-before-state', slow(5));
        start(...apply);
        const { id } = await executing.slowHasBegun('down-before-state');
        await executing.killAndStart(() => sleep(away_ms));
        await statusIs('down-before-state', 'applied');
        const { attributes } = await workspace('down-before-state');
        expect([attributes.locked, attributes['resource-count']]).toEqual([false, 2]);
        expect((await logOf(id, 'apply')).match(/Apply complete/g)).toHaveLength(1);
      });
    });
  },
  async () => {
    for (const one of [hooks, signs]) mkdirSync(one, { recursive: true });
    return { TERRANE_AGENT_HOOKS_DIR: hooks, TERRANE_AGENT_READABLE: signs };
  },
);

/** Holds the engine back until it is told to go, and says so in the log; the other hooks are none. */
function hook(moment: 'pre-plan' | 'pre-apply' | 'none'): void {
  for (const one of ['pre-plan', 'pre-apply']) {
    const path = join(hooks, `terraform-${one}`);
    const waits = `echo waiting behind its hook\nuntil [ -e ${go} ]; do sleep 0.1; done\n`;
    writeFileSync(path, `#!/bin/sh\n${one === moment ? waits : ''}`);
    chmodSync(path, 0o755);
  }
}
