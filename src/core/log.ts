/** How faults are written to the log. */
import pino, { type SerializedError } from 'pino';
import { isUnavailable } from './store/faults.ts';

/**
 * A database that is away is told in a line, as often as somebody asks for it: a stack would say nothing more. The first
 * stack of a process costs 60 MB, since it reads where every line of the program came from, and each one a millisecond.
 */
export const logSerializers = {
  err: (fault: Error & { code?: string }): SerializedError => {
    if (!isUnavailable(fault)) return pino.stdSerializers.err(fault);
    const told: Partial<SerializedError> = {
      type: fault.name,
      code: fault.code,
      message: fault.message || fault.code!,
    };
    return told as SerializedError;
  },
};
