// terraform and tofu, unmodified: a plan is confirmed, discarded, kept for later or broken off.
import { expect, test } from 'vitest';
import { apply, describeExecuting, slow } from './executing.ts';

describeExecuting(({ server, directory, workspace, statusIs, slowHasBegun }) => {
  test('§2.2 a plan that is kept is shown, and applied later, once', async () => {
    const { succeed, run } = await directory('saved');
    expect(await succeed('plan', '-no-color', '-out=kept')).toContain('1 to add');
    expect(await succeed('show', '-no-color', 'kept')).toContain('planned and saved (confirmable)');
    expect(await succeed('apply', '-no-color', 'kept')).toContain('1 added');
    expect((await run('apply', '-no-color', 'kept')).status).toBe(1);
    await succeed('plan', '-no-color', '-out=stale', '-var', 'color=stale');
    await succeed(...apply, '-var', 'color=newer');
    const stale = await run('apply', '-no-color', 'stale');
    expect([stale.status, /discarded/.test(stale.output)]).toEqual([1, true]);
  });

  test('§2.2 a plan is confirmed, or discarded, at the prompt', async () => {
    const { answering } = await directory('asked');
    expect(await answering('yes\n', 'apply', '-no-color')).toContain('1 added');
    await expect(answering('no\n', 'apply', '-no-color', '-var', 'color=other')).rejects.toThrow('discarded');
    await statusIs('asked', 'discarded');
  });

  test('§5.4 cancel stops the engine, keeps the state that there was, and frees the workspace', async () => {
    const { start } = await directory('canceled', slow(60));
    const begun = start(...apply);
    const { id } = await slowHasBegun('canceled');
    await server().api('POST', `runs/${id}/actions/cancel`, {});
    await statusIs('canceled', 'canceled');
    await begun.ended;
    const { attributes } = await workspace('canceled');
    expect([attributes.locked, attributes['resource-count'] >= 1]).toEqual([false, true]);
  });

  test('§5.4 Ctrl-C in an apply cancels it on the server', async () => {
    const { start } = await directory('interrupted', slow(60));
    const begun = start(...apply);
    await slowHasBegun('interrupted');
    begun.child.kill('SIGINT');
    expect(await begun.ended).toMatchObject({
      status: 0,
      output: expect.stringContaining('The remote operation was successfully cancelled.'),
    });
    await statusIs('interrupted', 'canceled');
    expect((await workspace('interrupted')).attributes.locked).toBe(false);
  });
});
