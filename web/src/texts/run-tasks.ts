import { counted } from './common.ts';

export const runTasks = {
  title: 'Run tasks',
  lead: 'Services that runs are shown to before they go on: they look at a plan, and say whether it is fine.',
  none: 'No run task yet',
  noneDetail: 'Once one is here, the settings of a workspace can ask it.',
  add: 'New run task…',
  addSubmit: 'Create run task',
  edit: 'Edit…',
  editTitle: (name: string) => `Edit ${name}`,
  saveSubmit: 'Save changes',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  off: 'off',
  name: 'Name',
  nameHint: 'Letters, digits, - and _.',
  url: 'Address',
  urlHint: 'It gets a trial now. What does not answer with 200 is not saved.',
  description: 'Description',
  key: 'HMAC key',
  keyHint: 'Each request is signed with it, so that the service knows that it is from here. It is never shown again.',
  keyKeep: 'Leave it empty to keep what is there. It is never shown again.',
  enabled: 'On',
  everywhere: 'Ask in every workspace',
  everywhereHint: 'Off: only workspaces whose settings name it show it their runs.',
  everywhereBadge: 'every workspace',
  remove: 'Delete…',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeEnds: (workspaces: number) =>
    workspaces === 0
      ? 'No workspace that you can see asks it.'
      : `${counted(workspaces, 'workspace')} that you can see no longer ask it.`,
  removeSubmit: 'Delete run task',
} as const;

export const workspaceTasks = {
  lead: 'Services that see the runs of this workspace, and may stop them.',
  none: 'No service sees its runs',
  noneDetail: 'Those that can be asked are set up in the settings of the organization:',
  ofOrganization: 'Run tasks',
  everywhere: (names: string) => `The organization asks in every workspace: ${names}.`,
  add: 'Ask a run task…',
  addSubmit: 'Ask run task',
  editTitle: (name: string) => `When ${name} is asked`,
  task: 'Run task',
  noMore: 'Every run task of the organization is asked already.',
  when: 'Asked',
  stages: {
    pre_plan: 'Before the plan',
    post_plan: 'After the plan',
    pre_apply: 'Before the apply',
    post_apply: 'After the apply',
  },
  level: 'If it says no',
  levels: { advisory: 'Only say so', mandatory: 'Stop the run' },
  levelHints: {
    advisory: 'What it says stands in the run, which goes on.',
    mandatory: 'A run goes on only if it says yes. After the apply there is nothing left to stop: it is advice then.',
  },
  remove: 'Ask no more…',
  removeTitle: (name: string) => `Ask ${name} no more?`,
  removeEnds: 'Runs go on without it. What it said of runs before stays with them.',
  removeSubmit: 'Ask no more',
} as const;

export const taskResults = {
  title: 'Run tasks',
  details: 'Details',
  mandatory: 'can stop the run',
  statuses: {
    pending: 'waits',
    running: 'at work',
    passed: 'passed',
    failed: 'failed',
    errored: 'errored',
    canceled: 'canceled',
    unreachable: 'not reached',
  },
} as const;
