/** What stands above the runs of an organization: all of them, or those in its queue. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paths } from '../paths.ts';
import { runs as text } from '../texts/runs.ts';
import { PageHead, Tabs } from '../ui/parts.tsx';
import { capacityQuery } from './runs.ts';

export function OrganizationRuns({ organization, children }: { organization: string; children: ReactNode }) {
  const { data } = useQuery(capacityQuery(organization));
  const { running, pending } = data?.data.attributes ?? {};
  const isKnown = running !== undefined && pending !== undefined;
  return (
    <>
      <PageHead title={text.title} {...(isKnown && { hint: text.queue.capacity(running, pending) })} />
      <div className="bottom-space">
        <Tabs
          label={text.views}
          tabs={[
            { to: paths.runs(organization), label: text.all },
            {
              to: paths.runQueue(organization),
              label: text.queue.title,
              count: isKnown ? running + pending : undefined,
            },
          ]}
        />
      </div>
      {children}
    </>
  );
}
