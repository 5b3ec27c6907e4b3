// terraform and tofu, unmodified, with Terrane as their backend: local execution, the lock, the state and its outputs.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { selfSigned } from '../test/running/certificate.ts';
import { commandLines, type Directory, hostOf, type Server, startServer, workDirectory } from './command-line.ts';

const resources = `
variable "color" {
  default = "blue"
}
resource "terraform_data" "one" {
  input = var.color
}
output "color" {
  value = terraform_data.one.output
}
output "secret" {
  value     = "sesame"
  sensitive = true
}
`;
const organization = 'acme';
// A command line takes seconds for each of its commands, and many on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });
const found = commandLines();
if (found.length === 0)
  console.log('e2e: no command line on this machine (terraform, tofu or TERRANE_E2E_CLI): skipped');

describe.skipIf(found.length === 0)('without one of the command lines', () => {
  describe.each(found)('%s', binary => {
    let server: Server;
    beforeAll(async () => {
      server = await startServer();
      const attributes = { name: organization, email: 'owner@example.com' };
      await server.api('POST', 'organizations', { data: { type: 'organizations', attributes } });
    });
    afterAll(() => server.stop());

    const cloud = (workspaces: string) => `
      terraform {
        cloud {
          hostname     = "${hostOf(server)}"
          organization = "${organization}"
          workspaces { ${workspaces} }
        }
      }`;
    const remote = (workspaces: string) => `
      terraform {
        backend "remote" {
          hostname     = "${hostOf(server)}"
          organization = "${organization}"
          workspaces { ${workspaces} }
        }
      }`;
    const directory = (backend: string): Directory => {
      const made = workDirectory(binary, server);
      made.write('backend.tf', backend);
      made.write('main.tf', resources);
      return made;
    };
    const workspace = async (name: string) =>
      (await server.api('GET', `organizations/${organization}/workspaces/${name}`)).data;
    const apply = ['apply', '-auto-approve', '-no-color'];

    test('§4.2 the cloud block by name: from init to destroy', async () => {
      const { succeed, run, write } = directory(cloud('name = "by-name"'));
      await succeed('init', '-no-color');
      expect(await succeed('plan', '-no-color')).toContain('1 to add');
      expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
      expect(await succeed('output', '-no-color')).toContain('color = "blue"');
      expect(await succeed('output', '-raw', 'secret')).toBe('sesame');
      expect(await succeed('state', 'list')).toBe('terraform_data.one\n');
      expect((await workspace('by-name')).attributes).toMatchObject({ locked: false, 'resource-count': 1 });

      await succeed('state', 'mv', 'terraform_data.one', 'terraform_data.two');
      expect(await succeed('state', 'list')).toBe('terraform_data.two\n');
      const pulled = await succeed('state', 'pull');
      write('pulled.tfstate', pulled);
      await succeed('state', 'mv', 'terraform_data.two', 'terraform_data.one');
      const older = await run('state', 'push', 'pulled.tfstate');
      expect(older.status).toBe(1);
      expect(await succeed('state', 'list')).toBe('terraform_data.one\n');
      write('pulled.tfstate', JSON.stringify({ ...JSON.parse(pulled), serial: 9 }));
      await succeed('state', 'push', 'pulled.tfstate');
      expect(await succeed('state', 'list')).toBe('terraform_data.two\n');
      write('same.tfstate', await succeed('state', 'pull'));
      await succeed('state', 'push', '-force', 'same.tfstate');

      expect(await succeed('destroy', '-auto-approve', '-no-color')).toContain('1 destroyed');
      expect((await workspace('by-name')).attributes).toMatchObject({ locked: false, 'resource-count': 0 });
    });

    test('§4.6 the cloud block by a list of tags: workspaces are made, listed, chosen and deleted', async () => {
      const { succeed, answering } = directory(cloud('tags = ["network", "shared"]'));
      await answering('tagged-one\n', 'init', '-no-color');
      await succeed('workspace', 'new', 'tagged-two');
      const list = await succeed('workspace', 'list');
      expect(list).toContain('tagged-one');
      expect(list).toContain('tagged-two');
      expect(list).not.toContain('by-name');
      expect((await workspace('tagged-one')).attributes['tag-names']).toEqual(['network', 'shared']);
      await succeed('workspace', 'select', 'tagged-one');
      expect(await succeed('workspace', 'show')).toBe('tagged-one\n');
      await succeed('workspace', 'delete', 'tagged-two');
      await expect(workspace('tagged-two')).rejects.toThrow('404');
    });

    test('§4.6 the cloud block by key-value tags', async () => {
      const { succeed, run, answering } = directory(cloud('tags = { team = "platform", tier = "one" }'));
      // A command line from before key-value tags says so, and there is nothing to try.
      const known = await run('init', '-no-color', '-input=false');
      if (/set of string required/.test(known.output)) return;
      await answering('bound-one\n', 'init', '-no-color');
      expect(await succeed('workspace', 'list')).toContain('bound-one');
      const { id } = await workspace('bound-one');
      const { data } = await server.api('GET', `workspaces/${id}/tag-bindings`);
      const bound = data.map(({ attributes }: { attributes: { key: string; value: string } }) => attributes);
      expect(bound).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ key: 'team', value: 'platform' }),
          expect.objectContaining({ key: 'tier', value: 'one' }),
        ]),
      );
    });

    test('§4.3 the remote backend, by name and by prefix', async () => {
      const named = directory(remote('name = "remote-name"'));
      await named.succeed('init', '-no-color');
      expect(await named.succeed(...apply)).toContain('1 added');
      const prefixed = directory(remote('prefix = "app-"'));
      await prefixed.succeed('init', '-no-color', '-input=false').catch(() => undefined);
      await prefixed.succeed('workspace', 'new', 'test');
      expect(await prefixed.succeed(...apply)).toContain('1 added');
      expect((await workspace('app-test')).attributes['resource-count']).toBe(1);
      expect(await prefixed.succeed('workspace', 'list')).toContain('test');
    });

    test('§3 lock/held: of two command lines one gets the lock, and the other waits for it', async () => {
      const { succeed, start, write } = directory(cloud('name = "contended"'));
      write(
        'slow.tf',
        'resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n    command = "sleep 4"\n  }\n}\n',
      );
      await succeed('init', '-no-color');
      const first = start(...apply);
      await expect.poll(async () => (await workspace('contended')).attributes.locked, { timeout: 15_000 }).toBe(true);
      const refused = await start(...apply, '-lock-timeout=0s').ended;
      expect(refused.status).toBe(1);
      expect(refused.output).toContain('lock');
      const second = await start(...apply, '-lock-timeout=60s').ended;
      expect((await first.ended).status).toBe(0);
      expect(second).toMatchObject({ status: 0 });
      expect((await workspace('contended')).attributes.locked).toBe(false);
    });

    test('§3 force-unlock/held: a lock that somebody left behind is broken by force-unlock', async () => {
      const { succeed, run } = directory(cloud('name = "stuck"'));
      await succeed('init', '-no-color');
      const { id } = await workspace('stuck');
      await server.api('POST', `workspaces/${id}/actions/lock`, { reason: 'lunch' });
      expect((await run(...apply)).status).toBe(1);
      await succeed('force-unlock', '-force', `${organization}/stuck`);
      await succeed(...apply);
    });

    test('§1 over https with a certificate of its own', async () => {
      const { key, certificate } = selfSigned();
      const plain = await startServer();
      const attributes = { name: organization, email: 'owner@example.com' };
      await plain.api('POST', 'organizations', { data: { type: 'organizations', attributes } });
      await plain.stop();
      const secure = await startServer({
        TERRANE_DATA_DIR: plain.dataDirectory,
        TERRANE_TLS_CERT_FILE: certificate,
        TERRANE_TLS_KEY_FILE: key,
      });
      try {
        const address = secure.address.replace('127.0.0.1', 'localhost');
        const made = workDirectory(binary, { ...secure, address }, { SSL_CERT_FILE: certificate });
        made.write('backend.tf', cloud('name = "secure"').replace(hostOf(server), new URL(address).host));
        made.write('main.tf', resources);
        await made.succeed('init', '-no-color');
        expect(await made.succeed(...apply)).toContain('1 added');
        expect(await made.succeed('output', '-raw', 'color')).toBe('blue');
      } finally {
        await secure.stop();
      }
    });

    test('§3 a server killed in the middle of an apply: the state is the old or the new one, and the next apply works', async () => {
      const own = await startServer();
      const attributes = { name: organization, email: 'owner@example.com' };
      await own.api('POST', 'organizations', { data: { type: 'organizations', attributes } });
      const made = workDirectory(binary, own);
      made.write('backend.tf', cloud('name = "killed"').replace(hostOf(server), hostOf(own)));
      made.write('main.tf', resources);
      made.write(
        'slow.tf',
        'resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n    command = "sleep 3"\n  }\n}\n',
      );
      await made.succeed('init', '-no-color');
      const running = made.start(...apply);
      const path = `organizations/${organization}/workspaces/killed`;
      await expect
        .poll(async () => (await own.api('GET', path)).data.attributes.locked, { timeout: 15_000 })
        .toBe(true);
      await own.stop('SIGKILL');
      const port = new URL(own.address).port;
      const again = await startServer({ TERRANE_DATA_DIR: own.dataDirectory, PORT: port });
      try {
        await running.ended;
        const { data } = await again.api('GET', path);
        if (data.attributes.locked) await made.succeed('force-unlock', '-force', `${organization}/killed`);
        expect(await made.succeed('state', 'list')).toMatch(/^(?:|terraform_data\.one\n(?:terraform_data\.slow\n)?)$/);
        await made.succeed(...apply);
        expect(await made.succeed('state', 'list')).toBe('terraform_data.one\nterraform_data.slow\n');
      } finally {
        await again.stop();
      }
    });
  });
});
