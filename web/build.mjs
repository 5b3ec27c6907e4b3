// Builds the interface into dist/web when its sources, its packages or Node have changed since the last time.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const stamp = join(here, '../dist/web/.stamp');

const sources = ['index.html', 'package.json', 'vite.config.ts', 'build.mjs', '../package-lock.json'];
for (const folder of ['src', 'public']) {
  for (const entry of readdirSync(join(here, folder), { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name !== 'schema.ts')
      sources.push(join(folder, entry.parentPath.slice(join(here, folder).length), entry.name));
  }
}
const hash = createHash('sha256').update(process.version);
for (const source of sources.sort()) hash.update(`\0${source}\0`).update(readFileSync(join(here, source)));
const wanted = hash.digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const { build } = await import('vite');
  await build({ root: here, logLevel: 'warn' });
  writeFileSync(stamp, wanted);
}
