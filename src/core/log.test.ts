import { execFile } from 'node:child_process';
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

/** The messages that a process of its own has written by the time it is gone, after what `code` does with `log`. */
function messagesOf(code: string): Promise<string[]> {
  const module = new URL('log.ts', import.meta.url).href;
  const script = `
    import pino from 'pino';
    import { logOptions } from '${module}';
    const { stream, ...options } = logOptions('info');
    const log = pino(options, stream);
    ${code}`;
  return new Promise(resolve => {
    const options = ['--import', 'tsx', '--input-type=module', '--eval', script];
    execFile(process.execPath, options, (_killed, stdout) => {
      const lines = stdout.split('\n').filter(line => line !== '');
      resolve(lines.map(line => JSON.parse(line).msg));
    });
  });
}

const kill = "process.kill(process.pid, 'SIGKILL');";

test('R7 lines wait for others, and come before the end, behind a warning, or after a moment, whatever happens then', async () => {
  const all = Array.from({ length: 50 }, (_, at) => `line ${at}`);
  const found = await Promise.all([
    messagesOf(`for (let at = 0; at < 50; at += 1) log.info('line ' + at); process.exit(0);`),
    messagesOf(`log.info('one'); log.warn('two'); ${kill}`),
    messagesOf(`log.info('one'); setTimeout(() => { ${kill} }, 300);`),
    messagesOf(`log.info('one'); ${kill}`),
  ]);
  expect(found).toEqual([all, ['one', 'two'], ['one'], []]);
});
