// What a word loads: the command that it names, and everything where it names none.
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { kinds, registerCommands } from './commands.ts';

async function namesOf(word?: string): Promise<string[]> {
  const program = new Command('terrane');
  await registerCommands(program, word);
  return program.commands.map(command => command.name());
}

test('each command is listed by the words by which it is asked for, and is loaded alone', async () => {
  for (const { words } of kinds) {
    for (const word of words ?? [])
      expect([word, (await namesOf(word)).filter(name => name !== 'complete')]).toEqual([word, words]);
  }
});

test('a type of records loads those of all types and no other command, by its alias too', async () => {
  for (const word of ['workspaces', 'members', 'api']) {
    const names = await namesOf(word);
    expect(names).toEqual(expect.arrayContaining(['workspaces', 'teams', 'api']));
    expect(names).not.toContain('serve');
  }
});

test('help, a mistake and what a shell may complete load every command once, in the order of the help', async () => {
  const all = await namesOf();
  expect(all.slice(0, 2)).toEqual(['serve', 'agent']);
  expect(all).toEqual(expect.arrayContaining(kinds.flatMap(({ words }) => words ?? ['workspaces', 'api'])));
  for (const word of ['--help', 'help', 'complete']) expect(await namesOf(word)).toEqual(all);
  expect((await namesOf('bakcup')).sort()).toEqual([...all].sort());
});
