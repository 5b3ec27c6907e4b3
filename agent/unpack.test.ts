/** §2.2 A configuration is unpacked into its own directory, whatever its archive says. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, Header } from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpack } from './unpack.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'terrane-unpack-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** An archive with one entry of any kind, and what it says as content. */
function archiveOf(entry: { path: string; type: string; linkpath?: string; content?: string }): string {
  const content = Buffer.from(entry.content ?? '');
  const header = new Header({ ...entry, mode: 0o644, size: content.length, mtime: new Date(0) } as never);
  header.encode();
  const body = Buffer.concat([content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  const path = join(directory, 'archive.tar');
  writeFileSync(path, Buffer.concat([header.block!, body, Buffer.alloc(1024)]));
  return path;
}

test('files, directories and links within it come out as they went in', async () => {
  const source = join(directory, 'source');
  mkdirSync(join(source, 'modules/one'), { recursive: true });
  writeFileSync(join(source, 'main.tf'), 'main');
  writeFileSync(join(source, 'modules/one/main.tf'), 'module');
  symlinkSync('modules/one', join(source, 'linked'));
  symlinkSync('nowhere', join(source, 'dangling'));
  const archive = join(directory, 'archive.tar.gz');
  await create({ file: archive, cwd: source, gzip: true }, ['.']);
  await unpack(archive, join(directory, 'out'));
  expect(readFileSync(join(directory, 'out/linked/main.tf'), 'utf8')).toBe('module');
  expect(readdirSync(join(directory, 'out')).sort()).toEqual(['dangling', 'linked', 'main.tf', 'modules']);
});

test.each([
  ['a file above', { path: '../outside', type: 'File', content: 'x' }],
  ['a file at a place of its own', { path: '/tmp/terrane-outside', type: 'File', content: 'x' }],
  ['a link that leads above', { path: 'link', type: 'SymbolicLink', linkpath: '../outside' }],
  ['a link that leads anywhere', { path: 'link', type: 'SymbolicLink', linkpath: '/etc' }],
  ['a hard link', { path: 'link', type: 'Link', linkpath: 'main.tf' }],
  ['a device', { path: 'device', type: 'CharacterDevice' }],
  ['a pipe', { path: 'pipe', type: 'FIFO' }],
])('%s is refused, and nothing is written', async (_name, entry) => {
  const out = join(directory, 'out');
  await expect(unpack(archiveOf(entry), out)).rejects.toThrow('cannot be unpacked');
  expect(readdirSync(out)).toEqual([]);
  expect(readdirSync(directory).sort()).toEqual(['archive.tar', 'out']);
});

test('what is no archive is refused in words', async () => {
  const path = join(directory, 'no-archive');
  writeFileSync(path, Buffer.alloc(4096, 'x'));
  await expect(unpack(path, join(directory, 'out'))).rejects.toThrow('cannot be unpacked');
});
