/** Variables in the form in which engines read them from a file. */
import type { JobVariable } from './protocol.ts';

/** Text of a `.tfvars` file: an expression as it is, text as a quoted string. */
export function tfvars(variables: readonly JobVariable[]): string {
  const lines = variables
    .filter(({ category }) => category === 'terraform')
    .map(({ key, value, hcl }) => `${key} = ${hcl && value.trim() !== '' ? value : quoted(value)}`);
  return lines.map(line => `${line}\n`).join('');
}

/** A string literal without templates. */
export function quoted(text: string): string {
  const inside = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(/[$%](?=\{)/g, '$&$&');
  return `"${inside}"`;
}
