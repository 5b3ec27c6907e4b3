/** How the log is written, and faults in it. */
import pino, { type LoggerOptions, type SerializedError } from 'pino';
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

const flushAt_bytes = 4096;
const longestWait_ms = 100;

/**
 * The standard output, by which lines go together: a write for each was 7 % of what the server does for a change. What is a
 * warning or worse goes at once, with all that waits, and so does the rest when the process ends.
 */
function openOutput() {
  const stream = pino.destination({ dest: 1, sync: true, minLength: flushAt_bytes });
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    stream.flush();
  };
  process.on('exit', flush);
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (line, write, level) {
    write.apply(this, line);
    if (level >= pino.levels.values['warn']!) flush();
    else timer ??= setTimeout(flush, longestWait_ms).unref();
  };
  return { stream, hooks: { logMethod } };
}

let output: ReturnType<typeof openOutput> | undefined;

/** Of a server's loggers: they write to the same place, one line after the other. */
export function logOptions(level: string): LoggerOptions & { stream: pino.DestinationStream } {
  output ??= openOutput();
  return { level, serializers: logSerializers, ...output };
}
