import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { actOf, kindOf } from './audit.ts';

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>;
}

const described = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../openapi.json', import.meta.url)), 'utf8'),
) as Described;

/** What agents do is in the audit as well, and in no description of the API. */
const ofAgents = ['agents.register', 'agents.claim', 'agents.exit', 'jobs.start', 'jobs.finish', 'jobs.append-log'];

test('web: whatever changes something has words for people in the audit', () => {
  const changing = Object.values(described.paths).flatMap(path =>
    Object.entries(path)
      .filter(([method]) => ['post', 'put', 'patch', 'delete'].includes(method))
      // Two ways to the same are numbered; what has no point in it is no operation on a record.
      .map(([, { operationId }]) => operationId.replace(/\.\d+$/, ''))
      .filter(operationId => operationId.includes('.')),
  );
  expect(changing.length).toBeGreaterThan(100);
  const raw = [...changing, ...ofAgents].filter(operation => !/^[A-Z][a-z ,:-]+$/.test(actOf(operation)));
  expect(raw).toEqual([]);
});

test('web: kinds of records are said in the singular', () => {
  expect(['workspaces', 'ssh-keys', 'varsets', 'token-ttl-policies', 'run-triggers'].map(kindOf)).toEqual([
    'workspace',
    'SSH key',
    'variable set',
    'lifetime of tokens',
    'run trigger',
  ]);
});
