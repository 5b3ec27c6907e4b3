// `terrane mock`: an empty server for the tests of tools and providers, gone without a trace when it ends.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { loadEphemeralConfig } from '../core/config.ts';
import { warned } from './configuration.ts';
import { serve } from './serve.ts';
import { stopSignal } from './serving/stop-signal.ts';

interface Options {
  port: string;
  token: string;
  endWithParent: boolean;
}

export function registerMock(program: Command): void {
  program
    .command('mock')
    .description(
      'serve an empty Terrane for tests: prints its address and token as JSON, forgets everything at its end',
    )
    .option('--port <number>', 'port to listen on; 0 takes a free one', '0')
    .option('--token <text>', "the administrator's token", 'terrane-mock-administrator')
    .option('--no-end-with-parent', 'go on when the program that started this one ends')
    .addHelpText(
      'after',
      '\nThe first line of the output is {"address":…,"token":…,"pid":…}, once requests are answered. Your database' +
        '\nand your data directory are never touched, whatever the environment says.' +
        '\n\nExample:\n  $ terrane mock | { read -r server; echo "$server"; }',
    )
    .action(async (options: Options) => {
      await mock(options);
      process.exit(0);
    });
}

async function mock({ port, token, endWithParent }: Options): Promise<void> {
  const directory = join(realpathSync(tmpdir()), `terrane-mock-${randomBytes(6).toString('hex')}`);
  const config = warned(loadEphemeralConfig({ PORT: port, TERRANE_ADMIN_TOKEN: token, TERRANE_DATA_DIR: directory }));
  mkdirSync(directory, { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const guard = forgetHoweverItEnds(directory);
  try {
    await serve(config, stopSignal(endWithParent), {
      role: 'ephemeral',
      announce: address => console.log(JSON.stringify({ address, token, pid: process.pid })),
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
    guard.kill();
  }
}

/**
 * A shell that waits for the end of its input, which comes however this process ends: test harnesses kill what they
 * started. It then ends PostgreSQL and removes the directory.
 */
function forgetHoweverItEnds(directory: string) {
  const script = `
    cat
    kill -QUIT "$(head -n 1 "$0/postgresql/postmaster.pid")"
    for second in 1 2 3 4 5; do
      sleep 1
      rm -rf "$0" && exit
    done`;
  const guard = spawn('/bin/sh', ['-c', script, directory], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.unref();
  return guard;
}
