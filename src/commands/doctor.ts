// `terrane doctor`: looks at everything that a server needs, and says what to do where something is missing.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Config, ConfigError, loadConfig } from '../core/config.ts';
import { openStore } from '../core/store/store.ts';
import { programVersion } from '../core/version.ts';
import { openDatabase, quietLog } from './database.ts';
import { ofContents } from './doctor/contents.ts';
import { ofDatabase } from './doctor/database.ts';
import { type Diagnosis, ok, problem, skipped, warning } from './doctor/diagnosis.ts';
import { surroundings } from './doctor/surroundings.ts';

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'look at configuration, database, keys, clock, disk, TLS, SAML, address, proxy and engines, and say what to do',
    )
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      '\nIt changes nothing, and runs beside a server or without one. The exit code is 1 where something is a problem; what only' +
        '\nwants a look is a warning.\n\nExample:\n  $ terrane doctor --json',
    )
    .action(async ({ json }: { json?: boolean }) => {
      const found = await examine();
      if (json) console.log(JSON.stringify({ version: programVersion(), diagnoses: found }));
      else for (const line of found.flatMap(linesOf)) console.log(line);
      if (found.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1;
    });
}

async function examine(): Promise<Diagnosis[]> {
  let loaded: ReturnType<typeof loadConfig>;
  try {
    loaded = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(found => problem('configuration', found, 'Mend it: no server starts with it.'));
  }
  const { config, warnings } = loaded;
  const configuration = warnings.map(found => warning('configuration', found, 'Look at the name, or take it out.'));
  return [
    ...(configuration.length > 0 ? configuration : [ok('configuration', 'It can be read.')]),
    ...(await examineDatabase(config)),
    ...(await surroundings(config)),
  ];
}

async function examineDatabase(given: Config): Promise<Diagnosis[]> {
  if (!given.databaseUrl && !existsSync(join(given.dataDirectory, 'postgresql')))
    return [skipped('PostgreSQL', `There is no database in ${given.dataDirectory} yet: the first start makes it.`)];
  try {
    const database = await openDatabase(given, quietLog, 'command', async () => ({ applied: [] }));
    const store = openStore(database.connection, { connections: 2 });
    try {
      return [...(await ofDatabase(store, database.config)), ...(await ofContents(store, database.config))];
    } finally {
      await store.close();
      await database.close();
    }
  } catch (fault) {
    const { code, message } = fault as NodeJS.ErrnoException;
    // Never the address itself: a password may stand in it.
    return [
      problem(
        'PostgreSQL',
        `It does not answer: ${message || code}.`,
        'Look at DATABASE_URL, the network, and the log of PostgreSQL.',
      ),
    ];
  }
}

const marks = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM', skipped: '-      ' };

const linesOf = ({ name, verdict, found, advice }: Diagnosis): string[] => [
  `${marks[verdict]}  ${name}: ${found}`,
  ...(advice ? [`           → ${advice}`] : []),
];
