/** What receivers are sent: one message in the form that each kind of destination reads. Pure. */
import { createHmac } from 'node:crypto';
import type { Letter } from '../../people/mail/mail.ts';
import type { DestinationType, Trigger } from './triggers.ts';

/** The run that a message is about, as it was when that happened. */
export interface ToldRun {
  id: string;
  message: string;
  created_at: string;
  /** Null for people who are gone, as below. */
  created_by: string | null;
  status: string;
  updated_at: string;
  updated_by: string | null;
}

export interface Told {
  configuration_id: string;
  configuration_name: string;
  trigger: Trigger | 'verification';
  /** What happened, in a few words. */
  message: string;
  /** Null in a verification, which is about no workspace. */
  workspace: { id: string; name: string; organization: string } | null;
  run: ToldRun | null;
  /** Of what is not about a run. */
  details: Record<string, unknown> | null;
  /** The address of this server. */
  public_url: string;
}

/** How receivers know who sent it: the digest of the body under the token that they share with us. */
export function signature(token: string, body: string): string {
  return createHmac('sha512', token).update(body).digest('hex');
}

/** The body of a request to a destination that is an address. */
export function bodyFor(type: Exclude<DestinationType, 'email'>, told: Told): string {
  const bodies = { generic: genericBody, slack: slackBody, 'microsoft-teams': teamsBody };
  return JSON.stringify(bodies[type](told));
}

function genericBody(told: Told): object {
  return told.details ? scopedBody(told, told.details) : runBody(told);
}

/** Version 1 of the form that receivers know: runs, and verifications. */
function runBody(told: Told): object {
  const { run, workspace } = told;
  return {
    payload_version: 1,
    notification_configuration_id: told.configuration_id,
    run_url: run && linkOf(told),
    run_id: run?.id ?? null,
    run_message: run?.message ?? null,
    run_created_at: run?.created_at ?? null,
    run_created_by: run?.created_by ?? null,
    workspace_id: workspace?.id ?? null,
    workspace_name: workspace?.name ?? null,
    organization_name: workspace?.organization ?? null,
    notifications: [
      {
        message: told.message,
        trigger: told.trigger,
        run_status: run?.status ?? null,
        run_updated_at: run?.updated_at ?? null,
        run_updated_by: run?.updated_by ?? null,
      },
    ],
  };
}

/** Version 2: what happens to a workspace otherwise. */
function scopedBody(told: Told, details: object): object {
  const { workspace } = told;
  return {
    payload_version: '2',
    notification_configuration_id: told.configuration_id,
    notification_configuration_url: `${told.public_url}/api/v2/notification-configurations/${told.configuration_id}`,
    trigger_scope: told.trigger.split(':')[0],
    trigger: told.trigger,
    message: told.message,
    details: {
      ...details,
      workspace_id: workspace?.id ?? null,
      workspace_name: workspace?.name ?? null,
      workspace_url: linkOf({ ...told, run: null }),
      organization_name: workspace?.organization ?? null,
    },
  };
}

/** Where people see what it is about; null for a verification. */
function linkOf({ workspace, run, public_url }: Told): string | null {
  if (!workspace) return null;
  const parts = [workspace.organization, 'workspaces', workspace.name, ...(run ? ['runs', run.id] : [])];
  return `${public_url}/app/${parts.map(encodeURIComponent).join('/')}`;
}

const titleOf = ({ workspace, message }: Told) =>
  workspace ? `${message} in ${workspace.organization}/${workspace.name}` : message;

/** Each a name and what it is; the message of a run is somebody's free text. */
function factsOf({ run }: Told): [string, string][] {
  if (!run) return [];
  const who = run.updated_by ?? run.created_by;
  return [
    ['Run', run.id],
    ['Message', run.message],
    ['Status', run.status],
    ...(who ? ([[run.updated_by ? 'By' : 'Begun by', who]] as [string, string][]) : []),
  ];
}

/** Three characters begin what Slack takes for links and mentions. */
const plain = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function slackBody(told: Told): object {
  const link = linkOf(told);
  const title = plain(titleOf(told));
  return {
    text: link ? `<${link}|${title}>` : title,
    attachments: [
      {
        fallback: title,
        fields: factsOf(told).map(([name, value]) => ({ title: name, value: plain(value), short: value.length < 40 })),
      },
    ],
  };
}

/** An adaptive card, which workflows and connectors of Teams take. */
function teamsBody(told: Told): object {
  const link = linkOf(told);
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: unmarked(titleOf(told)), weight: 'Bolder', wrap: true },
            { type: 'FactSet', facts: factsOf(told).map(([name, value]) => ({ title: name, value: unmarked(value) })) },
          ],
          actions: link ? [{ type: 'Action.OpenUrl', title: 'Open', url: link }] : [],
        },
      },
    ],
  };
}

/** Cards read Markdown, in which people's texts are to mean nothing. */
const unmarked = (text: string) => text.replace(/[\\`*_[\]()#|~>-]/g, '\\$&');

/** @param to one address */
export function letterOf(told: Told, to: string): Letter {
  const link = linkOf(told);
  const lines = [
    `${titleOf(told)}.`,
    ...(factsOf(told).length > 0 ? ['', ...factsOf(told).map(([name, value]) => `${name}: ${value}`)] : []),
    ...(link ? ['', link] : []),
    '',
    `You get this letter since the notification "${told.configuration_name}" names you.`,
  ];
  return { to, subject: oneLine(titleOf(told)), text: lines.join('\n') };
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 200);
