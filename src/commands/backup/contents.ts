/** What stands in a backup beside the rows: what it is, first, and what was written, last. */
import type { KeyName } from '../../core/store/secrets.ts';
import { CommandError } from '../command-error.ts';
import type { Entry } from './archive.ts';

export const formatVersion = 1;

export interface Heading {
  format: number;
  /** The Terrane that wrote it. */
  version: string;
  created_at: string;
  server_version: string;
  migrations: { version: number; name: string; checksum: string }[];
  /** What the server sealed and hashed with, by the ids of the keys. */
  keys: Pick<KeyName, 'id' | 'from'>[];
  /** Where the contents are that were left in an object store. */
  objects?: string;
}

export interface Written {
  columns: string[];
  rows: number;
  bytes: number;
  /** Of all its bytes, in hexadecimal digits. */
  sha256: string;
}

export interface Manifest {
  tables: Record<string, Written>;
  /** The last value of each sequence; null where none was drawn. */
  sequences: Record<string, string | null>;
}

export const headingPath = 'terrane-backup.json';
export const manifestPath = 'manifest.json';
export const rowsPath = (table: string, piece: number) => `rows/${table}/${String(piece).padStart(8, '0')}`;

/** The table of an entry with rows; undefined for any other one. */
export const tableAt = (path: string): string | undefined => /^rows\/(\w+)\/\d+$/.exec(path)?.[1];

export const damaged = (how: string) => new CommandError(`The backup is damaged: ${how}. Nothing was restored.`);

/** What it is, or what was written, as JSON. Throws CommandError where it is none. */
export function readJson<Read extends Heading | Manifest>({ path, bytes }: Entry): Read {
  try {
    return JSON.parse(bytes.toString('utf8')) as Read;
  } catch {
    throw damaged(`${path} cannot be read`);
  }
}
