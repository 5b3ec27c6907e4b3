// What a command says where a server sends it for content to an address that it cannot reach.
import { expect, test } from 'vitest';
import { unreachable } from './server.ts';

const refused = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

test('import: of an address that cannot be reached its origin is named, and who sent there for content', () => {
  const said = (url: string) => unreachable(url, 'https://terrane.example', refused);
  expect(said('https://terrane.example/api/v2/ping')).toBe('https://terrane.example cannot be reached: ECONNREFUSED.');
  expect(said('https://store.example/content?signature=secret')).toBe(
    'https://store.example, where https://terrane.example says that the content lies, cannot be reached: ECONNREFUSED.',
  );
});
