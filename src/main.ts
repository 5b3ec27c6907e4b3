#!/usr/bin/env node
// The binary `terrane`: one program, several roles.
import { Command } from 'commander';
import { exitCodeOf, usageCode } from './commands/client/exit-codes.ts';
import { CommandError } from './commands/command-error.ts';
import { registerCommands } from './commands/commands.ts';
import { ConfigError } from './core/config.ts';
import { DirectoryInUseError } from './core/store/directory-lock.ts';
import { EmbeddedError } from './core/store/embedded-binaries.ts';
import { MigrationError } from './core/store/migrate.ts';

const program = new Command('terrane')
  .description('An open, self-hosted control plane for teams and workspaces.')
  .addHelpText('after', '\nExample:\n  $ terrane serve\n\nThe configuration is in docs/operating.md.');
// Before the commands are made: they take it over.
program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageCode));
await registerCommands(program, process.argv[2]);

/** Faults with a message that is meant for the operator; of any other the stack is worth more. */
const explained = [CommandError, ConfigError, DirectoryInUseError, EmbeddedError, MigrationError];

try {
  await program.parseAsync();
} catch (error) {
  console.error(explained.some(kind => error instanceof kind) ? (error as Error).message : error);
  process.exit(exitCodeOf(error));
}
