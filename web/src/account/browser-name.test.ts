import { expect, test } from 'vitest';
import { browserOf } from './browser-name.ts';

test('web: a session is named by its browser and system, whatever else the browser claims to be', () => {
  const apple = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
  expect(browserOf(`${apple} Version/17.5 Safari/605.1.15`)).toBe('Safari 17 on macOS');
  expect(browserOf(`${windows} Chrome/131.0.0.0 Safari/537.36`)).toBe('Chrome 131 on Windows');
  expect(browserOf(`${windows} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`)).toBe('Edge 131 on Windows');
  expect(browserOf('Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0')).toBe(
    'Firefox 132 on Linux',
  );
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  expect(browserOf(`${phone} Version/17.5 Mobile/15E148 Safari/604.1`)).toBe('Safari 17 on iOS');
});

test('web: what is no browser that is known is named by its own words, and what says nothing by a dash', () => {
  expect(browserOf('curl/8.5.0')).toBe('curl/8.5.0');
  expect(browserOf('')).toBe('–');
});
