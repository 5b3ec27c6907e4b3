import { Writable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { ApiError } from './errors.ts';
import { logSerializers } from './log.ts';

function written(fault: Error): { err: Record<string, unknown>; msg: string } {
  const lines: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  pino({ serializers: logSerializers }, stream).error(fault);
  return JSON.parse(lines[0]!);
}

test('R7 a database that is away is logged in a line, and its stack is never made', () => {
  const fault = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  Object.defineProperty(fault, 'stack', {
    get: () => {
      throw new Error('the stack was asked for');
    },
  });
  expect(written(fault)).toMatchObject({
    err: { type: 'Error', code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
    msg: 'connect ECONNREFUSED 127.0.0.1:5432',
  });
  expect(written(fault).err).not.toHaveProperty('stack');
});

test('R7 an object store that is away is logged in a line, which says why', () => {
  const cause = new Error('Error: connect ECONNREFUSED 127.0.0.1:9000');
  const { err } = written(Object.assign(new ApiError('content-store-unavailable'), { cause }));
  expect(err).toEqual({ type: 'Error', message: cause.message });
  expect(written(Object.assign(new ApiError('content-damaged'), { cause })).err['stack']).toContain('log.test.ts');
});

test('R7 a fault of several addresses says its code, and one of our own where it came from', () => {
  expect(written(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })).err['message']).toBe(
    'ECONNREFUSED',
  );
  expect(written(new Error('ours')).err['stack']).toContain('log.test.ts');
});
