import { expect, test } from 'vitest';
import { addressesOf, apiOf } from './addresses.ts';

test('web: a kind of connection brings its addresses, and the address of a server that of its API', () => {
  expect(addressesOf('github')).toEqual({ 'http-url': 'https://github.com', 'api-url': 'https://api.github.com' });
  expect(addressesOf('gitea')).toEqual({ 'http-url': '', 'api-url': '' });
  expect(apiOf('gitea', 'https://git.example/')).toBe('https://git.example/api/v1');
  expect(apiOf('git', 'https://git.example')).toBe('https://git.example');
  expect(apiOf('git', 'ssh://robot@git.example:2222/srv')).toBe('https://git.example');
  expect(apiOf('git', 'ssh:')).toBe('');
  expect(apiOf('github', 'https://github.com')).toBe('https://api.github.com');
  expect(apiOf('gitea', '')).toBe('');
});
