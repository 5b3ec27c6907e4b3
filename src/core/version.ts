/** Which Terrane this is. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

let known: string | undefined;

/** As package.json says, which stands above this file wherever the program is. */
export function programVersion(): string {
  known ??= readVersion(dirname(fileURLToPath(import.meta.url)));
  return known;
}

function readVersion(directory: string): string {
  const path = join(directory, 'package.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')).version;
  return directory === dirname(directory) ? 'unknown' : readVersion(dirname(directory));
}
