// The server does what it is asked, and its answer is lost on the way: the command line asks again, and all happens once.
import { afterAll, describe, expect, test } from 'vitest';
import { type Door, openDoor } from '../../test/running/door.ts';
import { apply, describeExecuting, freePort, slow } from './executing.ts';

let door: Door;
afterAll(() => door?.shut());

const api = (path: string) => new RegExp(`^POST /api/v2/${path} `);

describeExecuting(
  ({ directory, workspace, setWorkspace, runsOf }) => {
    const versions = async (name: string) => {
      const { attributes, relationships } = await workspace(name);
      return [attributes.locked, attributes['resource-count'], relationships['current-state-version'].data !== null];
    };

    describe.each([
      ['its announcement', api('workspaces/ws-\\w+/state-versions')],
      ['its content', /^PUT \/_blobs\/state-versions\/sv-\w+\/state\?/],
      ['its documented form', /^PUT \/_blobs\/state-versions\/sv-\w+\/json-state\?/],
    ])('§3 of a state, the answer to %s', (what, request) => {
      test('is lost: an apply in local execution saves it, and says so', async () => {
        const name = what.replaceAll(' ', '-');
        const { succeed } = await directory(name);
        await setWorkspace(name, { 'execution-mode': 'local' });
        door.loseAnswer(request);
        expect(await succeed(...apply)).toContain('Apply complete! Resources: 1 added');
        expect(door.hasLost()).toBe(true);
        expect(await versions(name)).toEqual([false, 1, true]);
        expect(await succeed('plan', '-no-color', '-detailed-exitcode')).toContain('No changes');
      });
    });

    describe.each([
      ['the configuration', api('workspaces/ws-\\w+/configuration-versions')],
      ['its content', /^PUT \/_blobs\/configuration-versions\//],
      ['the run', api('runs')],
      ['the approval', api('runs/run-\\w+/actions/apply')],
    ])('§5.4 of a run, the answer to %s', (what, request) => {
      test('is lost: it is made once, and applied once', async () => {
        const name = `remote-${what.replaceAll(' ', '-')}`;
        const { answering } = await directory(name, slow(1));
        door.loseAnswer(request);
        expect(await answering('yes\n', 'apply', '-no-color')).toContain('Apply complete! Resources: 2 added');
        expect(door.hasLost()).toBe(true);
        const made = (await runsOf(name)).map((one: { attributes: { status: string } }) => one.attributes.status);
        expect(made).toEqual(['applied']);
        expect(await versions(name)).toEqual([false, 2, true]);
      });
    });
  },
  async () => {
    const port = await freePort();
    door = await openDoor({ host: '127.0.0.1', port }, { host: '127.0.0.1' });
    return { PORT: String(port), TERRANE_PUBLIC_URL: `http://127.0.0.1:${door.port}` };
  },
);
