import { expect, test } from 'vitest';
import { serverAt } from './server.ts';

test('a server that cannot be asked is asked again, and the agent says once why it could not', async () => {
  const said: { details: { err?: Error }; message: string }[] = [];
  // Nobody listens there, and nobody may.
  const { ask } = serverAt('http://127.0.0.1:1', (details, message) => said.push({ details, message }));
  await expect(ask('POST', '/register', null, { json: {}, patience_ms: 1500 })).rejects.toThrow('fetch failed');
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({
    message: 'the server cannot be asked, and will be asked again',
    details: { address: 'http://127.0.0.1:1', err: { cause: expect.anything() } },
  });
});
