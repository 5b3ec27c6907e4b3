// What scripts learn from the end of a command.
import { CommandError } from '../command-error.ts';
import { RemoteError, UnreachableError } from '../remote/server.ts';

export const usageCode = 2;

/** 1 anything else, 2 the command line, 3 not found, 4 not allowed, 5 in the way of something, 6 no answer. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UnreachableError) return 6;
  if (error instanceof RemoteError) return { 401: 4, 403: 4, 404: 3, 409: 5 }[error.status] ?? 1;
  return error instanceof CommandError ? error.exitCode : 1;
}
