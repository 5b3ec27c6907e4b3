/** §4.2: which engine versions a workspace may have. The table ships filled; site administrators extend it. */
import { attributeFault, type Fault } from '../../core/errors.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';
import { agentIsPresent } from '../executors.ts';
import { continuesLine, isExactVersion, type KnownVersion, lineOf, newestOffered, versionFault } from './constraint.ts';
import { newestFirst } from './engine-version.ts';

/**
 * What a workspace gets whose create body does not say: the newest release that one of its agents has, so that its first
 * run can be executed; where no agent has any, the newest. Neither is beta, deprecated or disabled.
 * @param isTheirs of a row of `agents`, whether it would execute the runs of the workspace
 */
export async function defaultEngineVersion(sql: Sql, isTheirs: Fragment): Promise<string> {
  const [found] = await sql<{ newest: string | null; installed: string[] }[]>`
    select array(
      select distinct engine ->> 'version' from agents
      cross join lateral jsonb_array_elements(agents.engines) as engine
      where ${isTheirs} and ${agentIsPresent(sql)}
    ) as installed, (
      select engine_versions.version from engine_versions
      where engine_versions.enabled and not engine_versions.beta and not engine_versions.deprecated
        and position('-' in engine_versions.version) = 0
      order by ${newestFirst(sql)}
      limit 1
    ) as newest`;
  const releases = found!.installed.filter(version => isExactVersion(version) && !version.includes('-'));
  const best = releases.length > 0 && newestOffered(releases, await linesOf(sql, releases));
  return best || (found!.newest ?? 'latest');
}

/** Every version that is known of the minor versions of `releases`. */
function linesOf(sql: Sql, releases: readonly string[]): Promise<KnownVersion[]> {
  const lines = [...new Set(releases.map(lineOf))];
  return sql<KnownVersion[]>`
    select engine_versions.version, engine_versions.enabled,
      engine_versions.enabled and not engine_versions.beta and not engine_versions.deprecated as "isOffered"
    from engine_versions
    where split_part(engine_versions.version, '.', 1) || '.' || split_part(engine_versions.version, '.', 2) = any(${lines})`;
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
  const line = await sql<{ version: string }[]>`
    select engine_versions.version from engine_versions
    where engine_versions.version like ${`${lineOf(version)}.%`} and engine_versions.enabled
    order by engine_versions.id
    for key share`;
  const versions = line.map(one => one.version);
  return continuesLine(version, versions) ? [{ version }] : [];
}

function enabledVersions(sql: Sql): Promise<{ version: string }[]> {
  return sql<{ version: string }[]>`
    select engine_versions.version from engine_versions where engine_versions.enabled`;
}
