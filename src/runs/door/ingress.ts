/** The job of a configuration that an agent fetches from its repository: told, kept alive, its content taken, and reported. */
import { Type } from 'typebox';
import { type IngressReport, ingressFaults } from '../../../agent/protocol.ts';
import { blobStore } from '../../core/blobs/blob-store.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';
import { endFetch, finishFetch, takeContent } from '../configuration-versions/fetched.ts';
import { writing } from './artifacts.ts';
import { call } from './call.ts';
import type { IngressHolder } from './holders.ts';
import { describeIngress } from './ingress-description.ts';
import { recordJobEvent } from './record.ts';

export const startIngress = call<'ingress'>({
  operation: 'ingress.start',
  summary:
    'Begin to fetch a configuration, and be told from where; 410 where nobody can fetch it, or somebody else does',
  method: 'POST',
  path: '/ingress/start',
  opens: 'ingress',
  handle: async context => {
    const { holder, store, config } = context;
    const described = await describeIngress(store.read, config, holder);
    const isBegun = await store.transaction(async sql => {
      // Again by the same holder when the first answer was lost on its way.
      await holdIngress(sql, holder, 'allocated', 'running');
      if ('reason' in described) {
        await endFetch(sql, holder.versionId, described);
        return false;
      }
      await sql`
        update jobs set status = 'running', started_at = coalesce(jobs.started_at, clock_timestamp())
        where jobs.id = ${holder.jobId}`;
      await sql`
        update configuration_versions
        set ingress_attributes = configuration_versions.ingress_attributes || ${sql.json({ 'clone-url': described.url })}
        where configuration_versions.id = ${holder.versionId}`;
      if (holder.status === 'allocated') await recordJobEvent(sql, context, 'ingress.start', {});
      return true;
    });
    if (!isBegun) throw new ApiError('job-over');
    return { json: described };
  },
});

export const beatIngress = call<'ingress'>({
  operation: 'ingress.beat',
  summary: 'Give a sign of life; 410 where the job is over',
  method: 'POST',
  path: '/ingress/beat',
  opens: 'ingress',
  handle: async ({ holder }) => {
    if (holder.status === 'over') throw new ApiError('job-over');
    return { json: { signal: null } };
  },
});

export const writeIngress = call<'ingress'>({
  operation: 'ingress.write-content',
  summary: 'Leave what was fetched, a compressed archive; the later one counts',
  method: 'PUT',
  path: '/ingress/content',
  opens: 'ingress',
  limitBytes: () => limits.configuration_bytes.value,
  handle: async ({ holder, source, store, config }) => {
    if (holder.status !== 'running') throw new ApiError('job-over');
    await writing(store, config, holder.workspaceId, source, async (sql, blobId) => {
      await holdIngress(sql, holder, 'running');
      await blobStore(config).keep(sql, blobId);
      await takeContent(sql, config, holder.versionId, blobId);
    });
    return undefined;
  },
});

const nullableText = (maxLength: number) => Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength });

export const finishIngress = call<'ingress', IngressReport>({
  operation: 'ingress.finish',
  summary: 'Report what was fetched, or why nothing was; sent again it changes nothing',
  method: 'POST',
  path: '/ingress/finish',
  opens: 'ingress',
  body: Type.Union([
    Type.Object({
      outcome: Type.Literal('finished'),
      sha: Type.String({ pattern: '^[0-9a-f]{40,64}$' }),
      message: Type.String({ maxLength: limits.eventText_characters.value }),
      branch: nullableText(limits.eventLine_characters.value),
      on_default_branch: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
      readme: nullableText(limits.readme_bytes.value),
    }),
    Type.Object({
      outcome: Type.Literal('errored'),
      error: Type.Union(ingressFaults.map(fault => Type.Literal(fault))),
      reason: Type.String({ minLength: 1, maxLength: 4096 }),
    }),
  ]),
  handle: async context => {
    const { holder, value: report, store, config } = context;
    if (holder.status === 'over' && holder.outcome === report.outcome) return undefined;
    await store.transaction(async sql => {
      await holdIngress(sql, holder, 'running');
      if (report.outcome === 'finished') await finishFetch(sql, config, holder.versionId, report);
      else await endFetch(sql, holder.versionId, report);
      await recordJobEvent(sql, context, 'ingress.finish', {
        status: ['fetching', report.outcome === 'finished' ? 'uploaded' : 'errored'],
      });
    });
    return undefined;
  },
});

/** Holds the row of the workspace, then the job's. Throws `job-over` where the job is not in that status. */
async function holdIngress(
  sql: Sql,
  { jobId, workspaceId }: IngressHolder,
  ...statuses: IngressHolder['status'][]
): Promise<void> {
  await sql`select from workspaces where workspaces.id = ${workspaceId} for update`;
  const [held] = await sql`
    select from jobs where jobs.id = ${jobId} and jobs.status = any(${statuses}) for update of jobs`;
  if (!held) throw new ApiError('job-over');
}
