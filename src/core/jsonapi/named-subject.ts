/** The subject of a request that a query or a body names, and not its path. */
import { ApiError } from '../errors.ts';
import type { AnyEndpoint } from './endpoint.ts';
import type { Deployment } from './fields.ts';
import { readJson } from './guard.ts';
import type { Params } from './records.ts';

/** The names of the subject that stand outside of the path. Throws the faults of a body that names none. */
export function namesIn(
  { named, body }: AnyEndpoint,
  { query, body: bytes }: { query: unknown; body: Buffer },
  deployment: Deployment,
): Params {
  if (!named) return {};
  if ('byQuery' in named) {
    const values = query as Record<string, string>;
    return Object.fromEntries(Object.entries(named.byQuery).map(([name, parameter]) => [parameter, values[name]!]));
  }
  const read = readJson(bytes);
  const { value, faults } = body!.parse(read.json, deployment);
  const id = (value as { relationships: Record<string, string | null> }).relationships[named.byRelationship];
  if (id) return { [named.parameter]: id };
  const all = [...read.faults, ...faults];
  // An empty id is as good a form as any other, and names nothing.
  throw new ApiError(all.length > 0 ? all : 'not-found');
}
