// The scripts of `terrane completion` in the shells themselves, which ask a program that answers at once.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { createDirectory } from '../../../test/running/database.ts';
import { registerCompletion } from './completion.ts';

const isThere = (shell: string) => spawnSync(shell, ['--version']).error === undefined;

function scriptOf(shell: string): string {
  const program = new Command('terrane');
  registerCompletion(program);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  program.parse(['completion', shell], { from: 'user' });
  const [[script]] = printed.mock.calls as [[string]];
  printed.mockRestore();
  return script;
}

/** A folder with the script, and with a `terrane` that says what it was asked. */
function prepared(shell: string, file: string) {
  const folder = createDirectory();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), scriptOf(shell));
  const answering = '#!/bin/sh\n[ "$*" = "complete -- workspaces lo" ] && printf "lock\\nlogs\\n"\n';
  writeFileSync(join(folder, 'terrane'), answering);
  chmodSync(join(folder, 'terrane'), 0o755);
  return { folder, environment: { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, TERM: 'dumb' } };
}

test('completion: bash gets the words', () => {
  const { folder, environment: env } = prepared('bash', 'terrane.bash');
  const asking = `source ${folder}/terrane.bash; COMP_WORDS=(terrane workspaces lo) COMP_CWORD=2; _terrane; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync('bash', ['-c', asking], { env, encoding: 'utf8' })).toBe('lock logs\n');
});

test.skipIf(!isThere('fish'))('completion: fish gets the words (skipped without fish)', () => {
  const { folder, environment: env } = prepared('fish', 'terrane.fish');
  const asking = `source ${folder}/terrane.fish; complete -C "terrane workspaces lo"`;
  expect(execFileSync('fish', ['--no-config', '-c', asking], { env, encoding: 'utf8' })).toBe('lock\nlogs\n');
});

test.skipIf(!isThere('zsh'))(
  'completion: zsh gets the words at the first Tab, sourced or found (skipped without zsh)',
  {
    timeout: 60_000,
  },
  () => {
    const { folder, environment: env } = prepared('zsh', '_terrane');
    const found = `fpath=(${folder} $fpath); autoload -U compinit; compinit -u -D`;
    for (const begin of [found, `autoload -U compinit; compinit -u -D; source ${folder}/_terrane`]) {
      const talk = `
      zmodload zsh/zpty; zpty shell zsh -f -i
      zpty -w shell ${JSON.stringify(`PS1='> '; ${begin}; print -r rea''dy`).replaceAll('$', '\\$')}
      zpty -r shell said '*ready*'
      zpty -w -n shell $'terrane workspaces lo\\t'
      zpty -r shell said '*(logs|\\a)*'; print -r -- "$said"; zpty -d shell`;
      const said = execFileSync('zsh', ['-f', '-c', talk], { env, encoding: 'utf8', timeout: 25_000 });
      expect(said).toMatch(/lock\s+logs/);
    }
  },
);
