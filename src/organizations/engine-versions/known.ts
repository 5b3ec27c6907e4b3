/** §4.2: which engine versions a workspace may have. The table ships filled; site administrators extend it. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Sql } from '../../core/store/store.ts';
import { continuesLine, isExactVersion, versionFault } from './constraint.ts';
import { newestFirst } from './engine-version.ts';

/** What a workspace gets whose create body does not say: the newest enabled release that is neither beta nor deprecated. */
export async function defaultEngineVersion(sql: Sql): Promise<string> {
  const [newest] = await sql<{ version: string }[]>`
    select engine_versions.version from engine_versions
    where engine_versions.enabled and not engine_versions.beta and not engine_versions.deprecated
      and position('-' in engine_versions.version) = 0
    order by ${newestFirst(sql)}
    limit 1`;
  return newest?.version ?? 'latest';
}

/**
 * What is wrong with an `engine-version` of a body. An exact version is held until the transaction ends, so that nobody
 * disables or deletes it in between.
 */
export async function engineVersionFaults(sql: Sql, value: string): Promise<Fault[]> {
  const known = isExactVersion(value) ? await exactVersion(sql, value) : await enabledVersions(sql);
  const reason = versionFault(
    value,
    known.map(({ version }) => version),
  );
  return reason ? [attributeFault('engine-version', reason)] : [];
}

/** Command lines set their own version on what they create, and are released more often than this server. */
async function exactVersion(sql: Sql, version: string): Promise<{ version: string }[]> {
  const [known] = await sql<{ version: string; enabled: boolean }[]>`
    select engine_versions.version, engine_versions.enabled from engine_versions
    where engine_versions.version = ${version}
    for key share`;
  if (known) return known.enabled ? [known] : [];
  const minor = version.split('.').slice(0, 2).join('.');
  const line = await sql<{ version: string }[]>`
    select engine_versions.version from engine_versions
    where engine_versions.version like ${`${minor}.%`} and engine_versions.enabled
    order by engine_versions.id
    for key share`;
  const versions = line.map(one => one.version);
  return continuesLine(version, versions) ? [{ version }] : [];
}

function enabledVersions(sql: Sql): Promise<{ version: string }[]> {
  return sql<{ version: string }[]>`
    select engine_versions.version from engine_versions where engine_versions.enabled`;
}
