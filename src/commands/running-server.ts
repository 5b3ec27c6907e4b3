// Where the server of a data directory answers: left there while it runs, for the commands that print its address.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';

const fileIn = ({ dataDirectory }: Config) => join(dataDirectory, 'server.json');

/**
 * Leaves the address, and returns what takes it away. Without a directory there is nothing: on a database of the operator
 * it need not exist. One that cannot be written is no reason not to serve.
 */
export function leaveAddress(config: Config, address: string): () => void {
  const file = fileIn(config);
  if (!existsSync(config.dataDirectory)) return () => undefined;
  try {
    writeFileSync(file, `${JSON.stringify({ address, processId: process.pid })}\n`, { mode: 0o600 });
  } catch (error) {
    console.error(`The address could not be left in ${file}: ${(error as Error).message}.`);
    return () => undefined;
  }
  return () => {
    if (readLeft(config)?.processId === process.pid) rmSync(file, { force: true });
  };
}

/** The address of the server that runs on the data directory; undefined where none does. */
export function runningAddress(config: Config): string | undefined {
  const left = readLeft(config);
  return left && isAlive(left.processId) ? left.address : undefined;
}

function readLeft(config: Config): { address: string; processId: number } | undefined {
  try {
    const { address, processId } = JSON.parse(readFileSync(fileIn(config), 'utf8'));
    return typeof address === 'string' && Number.isInteger(processId) ? { address, processId } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // One of another user is alive, and refuses the signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
