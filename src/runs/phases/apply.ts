/** §4.3 `current_run.apply`: the apply of a run, and its log. A run that only plans has none. */
import { policy } from '../../access/policy.ts';
import { endpoint } from '../../core/jsonapi/endpoint.ts';
import { reference, references } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { logTransfer, phaseAttributes, phaseFinder, phaseRecords } from './document.ts';

export const applies = resource({
  type: 'applies',
  attributes: phaseAttributes('applies'),
  relationships: {
    run: reference('runs', 'run_id', row => `/api/v2/runs/${row['run_id']}`),
    'state-versions': references('state-versions', () => []),
  },
  links: row => ({ self: `/api/v2/applies/${row.id}` }),
  load: phaseRecords('applies').load,
});

export const showApply = endpoint({
  operation: 'applies.show',
  section: '§4.3',
  summary: 'Show an apply, by its id or by its run',
  method: 'GET',
  paths: ['/applies/:apply_id', '/runs/:run_id/apply'],
  subject: phaseFinder('applies', 'apply_id'),
  needs: policy['run:read'],
  answer: { status: 200, document: applies },
  handle: ({ subject }) => subject,
});

export const applyEndpoints = [showApply];
export const applyTransfers = [logTransfer('applies')];
