import { expect, test } from 'vitest';
import { parseTfvars } from './tfvars.ts';

test('web: a pasted .tfvars gives its strings as values and everything else as expressions', () => {
  const text = [
    '# size',
    'region = "eu-west" # where',
    'count=3',
    'on = true',
    'tags = {',
    '  env  = "prod" // {',
    '  list = ["a", "]"]',
    '}',
    'path = "a\\"b"',
    'greeting = "hello $' + '{var.name}"',
    'doc = <<EOT',
    'one = "no assignment"',
    'EOT',
    'last = "x"',
  ].join('\n');
  expect(parseTfvars(text)).toEqual([
    { key: 'region', value: 'eu-west', hcl: false },
    { key: 'count', value: '3', hcl: true },
    { key: 'on', value: 'true', hcl: true },
    { key: 'tags', value: '{\n  env  = "prod" // {\n  list = ["a", "]"]\n}', hcl: true },
    { key: 'path', value: 'a"b', hcl: false },
    { key: 'greeting', value: '"hello $' + '{var.name}"', hcl: true },
    { key: 'doc', value: '<<EOT\none = "no assignment"\nEOT', hcl: true },
    { key: 'last', value: 'x', hcl: false },
  ]);
});

test('web: what is no assignment is passed over, and an open bracket ends with the text', () => {
  expect(parseTfvars('hello\n= 1\nlist = [\n1,')).toEqual([{ key: 'list', value: '[\n1,', hcl: true }]);
});
