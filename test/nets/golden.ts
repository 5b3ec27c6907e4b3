/** Golden files: what is printed now must be what was read and agreed to before. `UPDATE_GOLDEN=1` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';

export function expectGolden(file: URL, text: string): void {
  if (process.env['UPDATE_GOLDEN']) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
