/** Who is told of what happens in a workspace, or in all of a project, and what became of what was sent. */
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { at } from '../paths.ts';
import { notifications as text } from '../texts/notifications.ts';
import { RecordList } from '../ui/record-list.tsx';
import type { RowAct } from '../ui/row-acts.tsx';
import type { Column } from '../ui/rows.tsx';
import { tell, tellFailure } from '../ui/tell.tsx';
import { useWorkspace } from '../workspaces/workspace.ts';
import { Deliveries } from './deliveries.tsx';
import { NotificationDialog } from './form.tsx';
import {
  deleteNotification,
  type Notification,
  notificationsQuery,
  type Source,
  tryNotification,
  updateNotification,
} from './notifications.ts';

const nameOf = ({ attributes }: Notification) => attributes.name;

/** …/settings/notifications of a workspace. */
export function Notifications() {
  const { organization, query } = useWorkspace();
  if (!query.data) return null;
  const { id, attributes } = query.data.data;
  return (
    <NotificationList
      organization={organization}
      source={{ type: 'workspaces', id }}
      lead={text.lead}
      mayChange={attributes.permissions['can-update']}
    />
  );
}

interface ListProps {
  organization: string;
  source: Source;
  lead: string;
  mayChange: boolean;
}

export function NotificationList({ organization, source, lead, mayChange }: ListProps) {
  const { open, ...rest } = useSearch({ strict: false }) as { open?: string };
  const { pathname } = useLocation();
  const [edited, setEdited] = useState<Notification | 'new' | null>(null);
  const navigate = useNavigate();
  const query = useQuery(notificationsQuery(source));
  const shown = query.data?.find(({ id }) => id === open);
  const show = (id: string) =>
    void navigate({ ...at(pathname, { ...rest, ...(id !== open && { open: id }) }), replace: true });
  return (
    <>
      <RecordList
        title={text.title}
        lead={lead}
        query={query}
        none={{ title: text.none, detail: text.noneDetail }}
        add={mayChange && { label: text.add, onClick: () => setEdited('new') }}
        columns={columnsOf(open, show)}
        nameOf={nameOf}
        acts={mayChange ? notification => actsOf(notification, setEdited) : undefined}
        removal={
          mayChange && {
            label: () => text.remove,
            title: notification => text.removeTitle(nameOf(notification)),
            ends: <p>{text.removeEnds}</p>,
            submit: text.removeSubmit,
            remove: deleteNotification,
          }
        }
      />
      {shown && <Deliveries notification={shown} />}
      {edited && (
        <NotificationDialog
          organization={organization}
          source={source}
          notification={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

const columnsOf = (open: string | undefined, show: (id: string) => void): Column<Notification>[] => [
  {
    title: text.name,
    cell: ({ id, attributes }) => (
      <span className="line wrap">
        <button type="button" className="link anywhere" aria-expanded={id === open} onClick={() => show(id)}>
          {attributes.name}
        </button>
        {!attributes.enabled && <span className="badge">{text.off}</span>}
        {attributes['delivery-responses'][0]?.successful === 'false' && (
          <span className="badge" data-group="errored">
            {text.failed}
          </span>
        )}
      </span>
    ),
  },
  {
    title: text.destination,
    width: 'third',
    cell: notification => <span className="muted">{whereTo(notification)}</span>,
  },
  { title: text.triggers, width: 'quarter', cell: ({ attributes }) => text.events(attributes.triggers.length) },
];

/** Of an address its host: what follows may be a secret, as of Slack. */
function whereTo({ attributes, relationships }: Notification): string {
  const { 'destination-type': type, url } = attributes;
  if (type === 'email')
    return text.people((relationships.users.data ?? []).length + attributes['email-addresses'].length);
  return `${text.destinations[type]}, ${url && URL.canParse(url) ? new URL(url).host : ''}`;
}

function actsOf(notification: Notification, onEdit: (notification: Notification) => void): RowAct[] {
  const { id, attributes } = notification;
  const turn = () => updateNotification(id, { enabled: !attributes.enabled }).catch(tellFailure);
  const verify = () => tryNotification(notification).then(() => tell(text.tried(attributes.name)), tellFailure);
  return [
    { label: text.edit, icon: 'pencil', onClick: () => onEdit(notification) },
    { label: text.verify, icon: 'enter', onClick: () => void verify() },
    {
      label: attributes.enabled ? text.turnOff : text.turnOn,
      icon: attributes.enabled ? 'x' : 'check',
      onClick: () => void turn(),
    },
  ];
}
