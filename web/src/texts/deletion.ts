import { counted } from './common.ts';

export const deletion = {
  delete: 'Delete the workspace',
  auto: 'Destroyed by itself',
  autoDetail: 'A run destroys everything that the workspace manages. The workspace itself stays, with its history.',
  autoInherits: 'As its project says',
  autoAfter: 'After this time without a change',
  autoAfterHint: 'A number and d or h, such as 14d. With a value of its own it no longer follows the project.',
  autoAt: 'At this time (UTC)',
  autoAtHint: 'Once. It takes the place of the time without a change.',
  safe: 'Deleting a workspace ends its runs, its variables and its state. A workspace that still manages resources is kept.',
  manages: (count: number) =>
    `It manages ${counted(count, 'resource')}. A run can destroy that first. Where the workspace is deleted by force, it lives on, managed by nobody.`,
  openDestroy: 'Destroy resources…',
  open: 'Delete workspace…',
  openForce: 'Force delete…',
  question: (name: string) => `Delete ${name}?`,
  ends: 'Its variables, its runs and every version of its state are deleted. This cannot be taken back.',
  submit: 'Delete workspace',
  forceQuestion: (name: string) => `Force delete ${name}?`,
  forceEnds: (count: number) =>
    `What it manages (${counted(count, 'resource')}) lives on, managed by nobody, and the state that knows about it is deleted. This cannot be taken back.`,
  forceSubmit: 'Force delete workspace',
  done: (name: string) => `${name} is deleted`,
} as const;
