// What the first start makes, whichever command it is: the first administrator, and the file with the token.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import type { Store } from '../core/store/store.ts';
import { bootstrapAdministrator } from '../people/tokens/bootstrap.ts';
import { writeSecret } from './database.ts';

/** A generated token goes to a file, never to the terminal or a log. Returns whether one was generated now. */
export async function keepAdministrator(store: Store, config: Config): Promise<boolean> {
  const token = await bootstrapAdministrator(store, config);
  if (token === undefined || config.adminToken) return false;
  try {
    mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
    writeSecret(join(config.dataDirectory, 'admin-token'), token);
  } catch (error) {
    console.error(`The administrator's token could not be written: ${(error as Error).message}.`);
  }
  return true;
}
