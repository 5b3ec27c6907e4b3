import type { Resource } from '../api/client.ts';
import { counted } from './common.ts';

type Status = Resource<'configuration-versions'>['attributes']['status'];

export const configurations = {
  title: 'Configurations',
  caption: (of: string) => `Configuration versions of ${of}`,
  none: 'No configuration yet',
  noneDetail:
    'The first plan of the command line uploads one, and so does the API. From a repository each push brings one.',
  version: 'Configuration',
  upload: 'Uploaded',
  current: 'current',
  speculative: 'plans only',
  status: 'Status',
  statuses: {
    pending: 'Waits for its content',
    fetching: 'Being fetched',
    uploaded: 'Ready',
    archived: 'Archived',
    errored: 'Failed',
    backing_data_soft_deleted: 'Hidden',
    backing_data_permanently_deleted: 'Deleted',
  } satisfies Record<Status, string>,
  runs: 'Runs of it',
  noRuns: 'none',
  more: (count: number) => `and ${counted(count, 'more', 'more')}`,
  since: 'Since',
  download: 'Download',
  restore: 'Restore content',
  asks: {
    archive: [
      'Archive…',
      'Archive this configuration?',
      'Its content is deleted for good. The version stays in the list.',
    ],
    soft_delete_backing_data: [
      'Hide content…',
      'Hide the content of this configuration?',
      'Nobody can fetch it, and no run can be made of it, until it is restored.',
    ],
    permanently_delete_backing_data: [
      'Delete content…',
      'Delete the content of this configuration?',
      'The version stays in the list, its content is gone. This cannot be taken back.',
    ],
  },
  submits: {
    archive: 'Archive',
    soft_delete_backing_data: 'Hide content',
    permanently_delete_backing_data: 'Delete content',
  },
} as const;
