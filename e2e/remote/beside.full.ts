// terraform and tofu, unmodified: runs that wait for each other, read what others put out, and begin others.
import { expect, test } from 'vitest';
import { hostOf } from '../command-line.ts';
import { apply, describeExecuting, organization, slow } from './executing.ts';

describeExecuting(({ server, directory, workspace, runsOf, statusIs }) => {
  test('§2.2 two at once in one workspace: the second waits for the first', async () => {
    const one = await directory('contended', slow(4));
    const two = await directory('contended', slow(4));
    const [first, second] = [one.start(...apply), two.start(...apply, '-var', 'color=second')];
    expect(await Promise.all([first.ended, second.ended])).toMatchObject([{ status: 0 }, { status: 0 }]);
    const ends = (await runsOf('contended')).map((run: { attributes: { status: string } }) => run.attributes.status);
    expect(ends).toEqual(['applied', 'applied']);
  });

  test('§3 lock/held: an apply says that it waits for the lock of a person, and goes on when that is gone', async () => {
    const { start } = await directory('held');
    const { id } = await workspace('held');
    await server().api('POST', `workspaces/${id}/actions/lock`, { reason: 'Maintenance until Monday' });
    const begun = start(...apply);
    let said = '';
    begun.child.stdout!.on('data', piece => (said += piece));
    const waits = 'Waiting for the manually locked workspace to be unlocked';
    await expect.poll(() => said, { timeout: 60_000 }).toContain(waits);
    await server().api('POST', `workspaces/${id}/actions/unlock`, {});
    expect(await begun.ended).toMatchObject({ status: 0, output: expect.stringContaining('1 added') });
  });

  test('§4.5 a run reads the outputs of another workspace only where that one shares them', async () => {
    const source = await directory('source');
    await source.succeed(...apply);
    const reader = await directory(
      'reader',
      `
      data "terraform_remote_state" "source" {
        backend = "remote"
        config = {
          hostname     = "${hostOf(server())}"
          organization = "${organization}"
          workspaces   = { name = "source" }
        }
      }
      output "read" { value = data.terraform_remote_state.source.outputs.color }`,
    );
    const refused = await reader.run('plan', '-no-color');
    expect(refused.status).toBe(1);
    const [sourceId, readerId] = [(await workspace('source')).id, (await workspace('reader')).id];
    await server().api('POST', `workspaces/${sourceId}/relationships/remote-state-consumers`, {
      data: [{ type: 'workspaces', id: readerId }],
    });
    await reader.succeed(...apply);
    expect(await reader.succeed('output', '-raw', 'read')).toBe('blue');
  });

  test('§4.2 an applied run begins one in the workspace that names its own as a source', async () => {
    const [source, target] = [await directory('trigger-source'), await directory('trigger-target')];
    await target.succeed(...apply);
    const [sourceId, targetId] = [(await workspace('trigger-source')).id, (await workspace('trigger-target')).id];
    await server().api('POST', `workspaces/${targetId}/run-triggers`, {
      data: { type: 'run-triggers', relationships: { sourceable: { data: { type: 'workspaces', id: sourceId } } } },
    });
    await source.succeed(...apply);
    const triggered = async () => (await runsOf('trigger-target'))[0].attributes;
    await expect.poll(async () => (await triggered()).source, { timeout: 30_000 }).toBe('tfe-run-trigger');
    await statusIs('trigger-target', 'planned_and_finished');
  });
});
