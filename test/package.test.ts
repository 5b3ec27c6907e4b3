/** The package as people get it who never clone: what is in it starts by itself. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createDirectory } from './running/database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('package: what npm packs holds the program, its interface, its agent and its migrations, and no source or test', async () => {
  const folder = createDirectory();
  // The program was built before the tests; building it again would pull it away from under those that run it.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root });
  const [tarball = ''] = readdirSync(folder);
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  const unpacked = join(folder, 'package');
  expect(readdirSync(join(unpacked, 'migrations'))).toEqual(readdirSync(join(root, 'migrations')));
  expect(readdirSync(unpacked)).not.toEqual(expect.arrayContaining(['src']));
  expect(readdirSync(unpacked)).not.toEqual(expect.arrayContaining(['test']));

  mkdirSync(join(folder, 'elsewhere'));
  symlinkSync(join(root, 'node_modules'), join(unpacked, 'node_modules'));
  const child = spawn(process.execPath, [join(unpacked, 'dist/main.js'), 'mock'], { cwd: join(folder, 'elsewhere') });
  onTestFinished(() => void child.kill('SIGTERM'));
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const answer = await fetch(`${JSON.parse(line).address}/api/v2/ping`);
  expect(answer.status).toBe(204);
  const page = await fetch(`${JSON.parse(line).address}/app/`);
  expect(await page.text()).toContain('<title>Terrane</title>');
  const help = execFileSync(process.execPath, [join(unpacked, 'dist/main.js'), 'agent', '--help'], {
    encoding: 'utf8',
  });
  expect(help).toContain('--concurrency');
});
