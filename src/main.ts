#!/usr/bin/env node
// The binary `terrane`: one program, several roles. Each command registers itself.
import { Command } from 'commander';
import { registerAgent } from './commands/agent.ts';
import { registerBackup } from './commands/backup.ts';
import { registerBlobs } from './commands/blobs.ts';
import { registerClient } from './commands/client/commands.ts';
import { registerCompletion } from './commands/client/completion.ts';
import { exitCodeOf, usageCode } from './commands/client/exit-codes.ts';
import { registerLogin } from './commands/client/login.ts';
import { CommandError } from './commands/command-error.ts';
import { registerDoctor } from './commands/doctor.ts';
import { registerLoginConfig } from './commands/login-config.ts';
import { registerMigrate } from './commands/migrate.ts';
import { registerMock } from './commands/mock.ts';
import { registerMove } from './commands/move.ts';
import { registerReseal } from './commands/reseal.ts';
import { registerRestore } from './commands/restore.ts';
import { registerRetention } from './commands/retention.ts';
import { registerSeed } from './commands/seed.ts';
import { registerServe } from './commands/serve.ts';
import { registerSignInLink } from './commands/sign-in-link.ts';
import { registerToken } from './commands/token.ts';
import { registerVerify } from './commands/verify.ts';
import { ConfigError } from './core/config.ts';
import { DirectoryInUseError } from './core/store/directory-lock.ts';
import { EmbeddedError } from './core/store/embedded-binaries.ts';
import { MigrationError } from './core/store/migrate.ts';

const program = new Command('terrane')
  .description('An open, self-hosted control plane for teams and workspaces.')
  .addHelpText('after', '\nExample:\n  $ terrane serve\n\nThe configuration is in docs/operating.md.');
// Before the commands are made: they take it over.
program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageCode));
for (const register of [
  registerServe,
  registerAgent,
  registerMock,
  registerMigrate,
  registerToken,
  registerSignInLink,
  registerLoginConfig,
  registerRetention,
  registerReseal,
  registerDoctor,
  registerBackup,
  registerRestore,
  registerVerify,
  registerBlobs,
  registerSeed,
  registerMove,
  registerLogin,
  registerClient,
  registerCompletion,
])
  register(program);

/** Faults with a message that is meant for the operator; of any other the stack is worth more. */
const explained = [CommandError, ConfigError, DirectoryInUseError, EmbeddedError, MigrationError];

try {
  await program.parseAsync();
} catch (error) {
  console.error(explained.some(kind => error instanceof kind) ? (error as Error).message : error);
  process.exit(exitCodeOf(error));
}
