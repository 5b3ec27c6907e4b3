// `terrane completion`: a script for the shell that asks this program what can come next.
import type { Command } from 'commander';

const scripts = {
  bash: `_terrane() {
  local words
  mapfile -t words < <(terrane complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "\${words[*]}" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _terrane terrane`,
  zsh: `#compdef terrane
_terrane() {
  local -a candidates
  candidates=("\${(@f)$(terrane complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a candidates
}
# Found through fpath, the file itself is what the first Tab calls.
if [[ "$funcstack[1]" == _terrane ]]; then _terrane "$@"; else compdef _terrane terrane; fi`,
  fish: `complete -c terrane -f -a '(terrane complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
};

export function registerCompletion(program: Command): void {
  const completion = program.command('completion').description('print a script that completes words in a shell');
  for (const [shell, script] of Object.entries(scripts))
    completion
      .command(shell)
      .description(`for ${shell}`)
      .action(() => console.log(script));
  completion.addHelpText('after', '\nExample:\n  $ source <(terrane completion bash)');
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words: string[]) => console.log(candidates(program, words).join('\n')));
}

/** What may stand in the place of the last word: commands, their verbs, and options where it begins with a dash. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find(one => one.name() === word || one.aliases().includes(word));
    if (next) command = next;
  }
  const { visibleCommands, visibleOptions } = {
    visibleCommands: command.createHelp().visibleCommands(command),
    visibleOptions: command.createHelp().visibleOptions(command),
  };
  const names = last.startsWith('-')
    ? visibleOptions.flatMap(({ long }) => long ?? [])
    : visibleCommands.flatMap(one => [one.name(), ...one.aliases()]);
  return names.filter(name => name.startsWith(last)).sort();
}
