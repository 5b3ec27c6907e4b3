/** How faults are written to the log. */
import pino, { type SerializedError } from 'pino';
import { ApiError } from './errors.ts';
import { isUnavailable } from './store/faults.ts';

type Logged = Error & { code?: string };

/**
 * A database or an object store that is away is told in a line, as often as somebody asks for it: a stack would say nothing
 * more. The first stack of a process costs 60 MB, since it reads where every line of the program came from, and each one a
 * millisecond.
 */
export const logSerializers = {
  err: (fault: Logged): SerializedError => {
    const away = isUnavailable(fault) ? fault : causeOfAwayObjects(fault);
    if (!away) return pino.stdSerializers.err(fault);
    const told: Partial<SerializedError> = { type: away.name, code: away.code, message: away.message || away.code! };
    return told as SerializedError;
  },
};

function causeOfAwayObjects(fault: Error): Logged | undefined {
  const isMeant = fault instanceof ApiError && fault.faults[0].name === 'content-store-unavailable';
  return isMeant && fault.cause instanceof Error ? fault.cause : undefined;
}
