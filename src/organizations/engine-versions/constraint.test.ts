import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import { isConstraint, isExactVersion, newestSatisfying, versionFault } from './constraint.ts';

const released = [
  '0.15.4',
  '1.2.0',
  '1.2.3',
  '1.3.0',
  '1.5.0',
  '1.5.7',
  '1.6.0',
  '1.10.2',
  '1.9.8',
  '2.0.0-beta1',
  '2.0.0',
];

describe('what an engine version may be', () => {
  test('§4.2 an exact version has three numbers, and perhaps the name of a pre-release', () => {
    for (const text of ['1.5.7', '0.8.0', '1.14.0-rc1', '1.2.3-beta.4']) expect(isExactVersion(text), text).toBe(true);
    for (const text of ['', '1', '1.5', '01.2.3', 'v1.5.7', '1.5.7 ', '1.5.7\n', '1.5.7-', '1.5.7+a', '99999999.0.0']) {
      expect(isExactVersion(text), text).toBe(false);
    }
  });

  test('§4.2 a constraint is operators and versions joined by commas, or the word latest', () => {
    for (const text of ['~> 1.5', '~>1.5.0', '>= 1.2, < 2.0', '= 1.2.3', '!= 1.3.0', 'latest', '> 1', '>= 1.0.0-rc1']) {
      expect(isConstraint(text), text).toBe(true);
    }
    for (const text of ['', 'nonexisting', '1.5', '^1.5', '1.x', '>= 1.2,', '~> one', '>=', '|| 1.0', '>= 1.2.3.4']) {
      expect(isConstraint(text), text).toBe(false);
    }
    expect(isConstraint(Array.from({ length: 11 }, () => '> 1').join(','))).toBe(false);
  });
});

describe('the newest release that satisfies a constraint', () => {
  test.each([
    ['~> 1.5', '1.10.2'],
    ['~> 1.5.0', '1.5.7'],
    ['~> 1', '2.0.0'],
    ['>= 1.2, < 2.0', '1.10.2'],
    ['>= 1.2, < 1.5', '1.3.0'],
    ['= 1.2.3', '1.2.3'],
    ['= 1.3', '1.3.0'],
    ['~> 1.2.0, != 1.2.3', '1.2.0'],
    ['<= 1.5.0', '1.5.0'],
    ['> 1.9.8', '2.0.0'],
    ['latest', '2.0.0'],
    ['> 2.0', null],
    ['nonexisting', null],
  ])('§4.2 %s → %s', (constraint, newest) => {
    expect(newestSatisfying(constraint, released)).toBe(newest);
  });

  test('§4.2 a pre-release is chosen only by a constraint that names one of the same version', () => {
    expect(newestSatisfying('>= 1.9, < 2.0', ['1.9.8', '2.0.0-beta1'])).toBe('1.9.8');
    expect(newestSatisfying('>= 2.0.0-alpha1', ['1.9.8', '2.0.0-beta1', '2.1.0-rc1'])).toBe('2.0.0-beta1');
    expect(newestSatisfying('latest', ['1.9.8', '2.0.0-beta1'])).toBe('1.9.8');
  });

  test('§4.2 the choice agrees with the semver library on ranges that both can say', () => {
    const number = fc.integer({ min: 0, max: 4 });
    const version = fc.tuple(number, number, number).map(numbers => numbers.join('.'));
    const operator = fc.constantFrom('>', '>=', '<', '<=', '=');
    const bounds = fc.array(fc.tuple(operator, version), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(bounds, fc.array(version, { maxLength: 12 }), (parts, versions) => {
        const ours = parts.map(([sign, bound]) => `${sign} ${bound}`).join(', ');
        const theirs = parts.map(([sign, bound]) => `${sign}${bound}`).join(' ');
        expect(newestSatisfying(ours, versions)).toBe(semver.maxSatisfying(versions, theirs));
      }),
    );
  });
});

describe('what a workspace may be set to', () => {
  test('§4.2 latest, a known version, and a constraint that a known version meets', () => {
    for (const text of ['latest', '1.5.7', '~> 1.5']) expect(versionFault(text, released), text).toBeNull();
    expect(versionFault('latest', [])).toBeNull();
    expect(versionFault('1.5.8', released)).toBe('Engine version 1.5.8 is not one of the available versions');
    expect(versionFault('~> 3.0', released)).toBe('Engine version "~> 3.0" is met by none of the available versions');
    expect(versionFault('nonexisting', released)).toMatch(/^Engine version must be /);
  });
});
