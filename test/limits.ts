/** Limits small enough for a test to meet them. */
import { afterAll, beforeAll } from 'vitest';
import { limits } from '../src/core/limits.ts';

/** To be called before the app of the file is made, which reads some of them only then. */
export function useLimits(smaller: Partial<Record<keyof typeof limits, number>>): void {
  const names = Object.keys(smaller) as (keyof typeof limits)[];
  const before = new Map(names.map(name => [name, limits[name].value]));
  beforeAll(() => {
    for (const name of names) limits[name].value = smaller[name]!;
  });
  afterAll(() => {
    for (const [name, value] of before) limits[name].value = value;
  });
}
