// terraform and tofu, unmodified: one apply that Terrane executes. All else that they do is in the `full` files beside this one.
import { expect, test } from 'vitest';
import { apply, describeExecuting } from './executing.ts';

describeExecuting(({ directory, workspace, setVariable, runsOf }) => {
  test('§2.2 an apply is executed by the server, with the variables of its workspace, and leaves state and outputs', async () => {
    const { succeed } = await directory('plain');
    await setVariable('plain', { key: 'color', value: 'of the workspace', category: 'terraform' });
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
    expect(await succeed('output', '-raw', 'color')).toBe('of the workspace');
    expect((await workspace('plain')).attributes).toMatchObject({ locked: false, 'resource-count': 1 });
    expect((await runsOf('plain'))[0].attributes.status).toBe('applied');
  });
});
