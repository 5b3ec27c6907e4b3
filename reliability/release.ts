/** A release of before, built apart: its own sources at a commit, with the libraries of now. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atExit } from './processes.ts';

export interface Release {
  commit: string;
  /** Its bundle. */
  program: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();

/** The commit before the one that brought the oldest of the last `count` migrations; with 0 the commit of now. */
export function commitBefore(count: number): string {
  if (count === 0) return 'HEAD';
  const added = git('log', '--diff-filter=A', '--format=%h', '-n', String(count), '--', 'migrations/[0-9]*.sql').split(
    '\n',
  );
  return `${added.at(-1)}^`;
}

export async function buildRelease(commit: string): Promise<Release> {
  const directory = mkdtempSync(join(tmpdir(), 'terrane-release-'));
  atExit(() => {
    git('worktree', 'remove', '--force', directory);
    rmSync(directory, { recursive: true, force: true });
  });
  git('worktree', 'add', '--quiet', '--detach', directory, commit);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const program = join(directory, 'dist/main.js');
  const options = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external' } as const;
  await build({ ...options, entryPoints: [join(directory, 'src/main.ts')], outfile: program, logLevel: 'warning' });
  return { commit: git('rev-parse', '--short', commit), program };
}
