/** /~/admin/health: how the installation is, for those who run it. */
import { useQuery } from '@tanstack/react-query';
import { answer, api, type Resource } from '../api/client.ts';
import { live_ms } from '../api/live.ts';
import { administration as text } from '../texts/account.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Card, Facts } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';

type Report = Resource<'health-reports'>['attributes'];

const words = text.health;

export function Health() {
  const query = useQuery({
    queryKey: ['admin', 'health'],
    refetchInterval: live_ms.list,
    queryFn: async () => (await answer(api.GET('/admin/health', {}))).data as unknown as Resource<'health-reports'>,
  });
  return (
    <Loaded query={query}>
      {({ attributes }) => (
        <>
          <Whole report={attributes} />
          <Servers servers={attributes.servers} />
          <Work report={attributes} />
        </>
      )}
    </Loaded>
  );
}

function Whole({ report }: { report: Report }) {
  const { database, schema, disk, replicas } = report;
  const free = disk['free-bytes'];
  return (
    <Card title={text.pages.health}>
      {report.attention.length > 0 && (
        <ul>
          {report.attention.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <Facts
        facts={[
          [
            words.status,
            <span key="status" className="badge" data-group={report.status === 'ok' ? 'applied' : 'attention'}>
              {report.status === 'ok' ? words.ok : words.attention}
            </span>,
          ],
          [words.database, words.databaseIs(database.version, size(database['size-bytes']))],
          [words.connections, `${database.connections} / ${database['connections-limit']}`],
          [words.schema, schema.version],
          free === null ? null : [words.disk, size(free)],
          ...replicas.map(replica => [replica.name, words.behind(size(replica['lag-bytes'] ?? 0))] as const),
          [words.url, window.location.origin],
        ]}
      />
    </Card>
  );
}

function Servers({ servers }: { servers: Report['servers'] }) {
  if (servers.length === 0) return null;
  return (
    <Card title={words.servers}>
      <Facts
        facts={servers.map(
          server =>
            [
              server.host,
              <span key={server.id}>
                {words.serverIs(server.version, server['process-id'])}{' '}
                {server['is-answering'] ? (
                  <Time at={server['started-at']} />
                ) : (
                  <span className="badge" data-group="errored">
                    {words.silent} <Time at={server['seen-at']} />
                  </span>
                )}
              </span>,
            ] as const,
        )}
      />
    </Card>
  );
}

function Work({ report: { agents, jobs, lanes } }: { report: Report }) {
  const waiting = lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  return (
    <Card title={words.work}>
      <Facts
        facts={[
          [words.agents, agents.answering],
          [words.queued, words.jobs(agents['jobs-queued'], agents['jobs-under-way'])],
          [words.waiting, waiting],
          ...jobs.map(
            job =>
              [
                job.name,
                <span key={job.name}>
                  {job['holder-id'] ? (
                    words.underWay
                  ) : job['finished-at'] ? (
                    <Time at={job['finished-at']} />
                  ) : (
                    words.notYet
                  )}
                </span>,
              ] as const,
          ),
        ]}
      />
    </Card>
  );
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

function size(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`;
}
