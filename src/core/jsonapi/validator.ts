/** What compiles the schemas of bodies, and which moments a body may name. */
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

export const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, ownProperties: true });
addFormats.default(ajv);
const dateTime = addFormats.default.get('date-time') as { validate: (text: string) => boolean };
const [earliest_ms, latest_ms] = [Date.UTC(1900, 0), Date.UTC(10_000, 0) - 1];
ajv.addFormat('date-time', text => dateTime.validate(text) && isWithin(text));

/** Moments that PostgreSQL gives back as they were sent: their year has four digits, wherever on earth they were written. */
function isWithin(text: string): boolean {
  // A leap second is none to JavaScript.
  const moment_ms = Date.parse(text.replace(/:60(?=\.|Z|[+-])/i, ':59'));
  return moment_ms >= earliest_ms && moment_ms <= latest_ms;
}
