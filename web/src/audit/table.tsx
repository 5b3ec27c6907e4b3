/** Events in rows, each of which opens, and leads to its record where that has a screen. */
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { paths } from '../paths.ts';
import { actOf, kindOf, audit as text } from '../texts/audit.ts';
import { Comparison } from '../ui/comparison.tsx';
import { Icon } from '../ui/icon.tsx';
import { Avatar, Facts } from '../ui/parts.tsx';
import { Time } from '../ui/time.tsx';
import type { AuditEvent } from './events.ts';

/** Where a record can be looked at, by what the API calls its type. */
const screens: Record<string, (organization: string, id: string) => string> = {
  workspaces: (_organization, id) => paths.workspaceById(id),
  runs: (_organization, id) => paths.runById(id),
  projects: paths.project,
  teams: paths.team,
  varsets: paths.variableSet,
};

export function EventTable({ organization, events }: { organization: string; events: AuditEvent[] }) {
  const [open, setOpen] = useState<string | null>(null);
  // Over columns that are not there it would make new ones.
  const isNarrow = useMediaQuery('(max-width: 64rem)', false, { getInitialValueInEffect: false });
  return (
    <table className="table">
      <caption className="hidden-text">{text.title}</caption>
      <thead>
        <tr>
          <th scope="col" className="actions-cell">
            <span className="hidden-text">{text.change}</span>
          </th>
          <th scope="col" className="when">
            {text.time}
          </th>
          <th scope="col" className="only-wide">
            {text.who}
          </th>
          <th scope="col">{text.what}</th>
          <th scope="col" className="only-wide third">
            {text.record}
          </th>
        </tr>
      </thead>
      <tbody>
        {events.map(event => (
          <Fragment key={event.id}>
            <EventRow
              organization={organization}
              event={event}
              isOpen={open === event.id}
              onToggle={() => setOpen(open === event.id ? null : event.id)}
            />
            {open === event.id && (
              <tr className="event-detail">
                <td colSpan={isNarrow ? 3 : 5}>
                  <EventDetail event={event} />
                </td>
              </tr>
            )}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

function EventRow({
  organization,
  event: { attributes },
  isOpen,
  onToggle,
}: {
  organization: string;
  event: AuditEvent;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const who = attributes['actor-name'] ?? attributes['actor-id'];
  const stamp = attributes['occurred-at'];
  const kind = kindOf(attributes['resource-type'] ?? '');
  const record = <Of organization={organization} event={attributes} />;
  return (
    <tr>
      <td className="actions-cell">
        <button
          type="button"
          className="copy"
          aria-expanded={isOpen}
          aria-label={`${actOf(attributes.action)}, ${stamp}`}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} size={14} />
        </button>
      </td>
      <td>
        <span className="clock">{stamp.slice(11, 19)} </span>
        <span className="muted small">
          <Time at={stamp} />
        </span>
      </td>
      <td className="cut only-wide">
        <span className="line">
          <Avatar name={who} id={attributes['actor-id']} />
          <span className="cut">{who}</span>
        </span>
      </td>
      <td className="name-cell" title={attributes.action}>
        <span className={/force/.test(attributes.action) ? 'danger-text' : ''}>{actOf(attributes.action)}</span>
        <span className="only-narrow small">
          <br />
          {kind} {record}
          <br />
          <span className="muted">{who}</span>
        </span>
      </td>
      <td className="name-cell only-wide">
        <span className="muted small">{kind}</span> <span className="strong">{record}</span>
      </td>
    </tr>
  );
}

/** The name of the record; what has been deleted leads nowhere. */
function Of({ organization, event }: { organization: string; event: AuditEvent['attributes'] }): ReactNode {
  const { 'resource-type': type, 'resource-id': id, 'resource-name': name, action } = event;
  const screen = screens[type ?? ''];
  if (!screen || !id || /delete$/.test(action)) return name ?? id;
  return (
    <Link className="plain-link" to={screen(organization, id)}>
      {name ?? id}
    </Link>
  );
}

function EventDetail({ event: { id, attributes } }: { event: AuditEvent }) {
  const changes = Object.entries(
    attributes.changes as Record<string, [unknown, unknown] | { before?: unknown; after?: unknown }>,
  );
  const pair = (change: (typeof changes)[number][1]) =>
    Array.isArray(change) ? change : [change?.before, change?.after];
  const facts = [
    [text.operation, attributes.action],
    [text.record, attributes['resource-id']],
    [text.request, attributes['request-id']],
    [text.token, attributes['token-id']],
    [text.address, attributes['remote-address']],
    [text.time, attributes['occurred-at']],
    ['ID', id],
  ] as const;
  return (
    <div className="columns even">
      <Comparison titles={[text.field, text.before, text.after]}>
        {changes.map(([field, change]) => {
          const [before, after] = pair(change);
          return (
            <tr key={field}>
              <td className="mono anywhere">{field}</td>
              <td className="mono anywhere bad">{before === undefined ? '' : JSON.stringify(before)}</td>
              <td className="mono anywhere good">{after === undefined ? '' : JSON.stringify(after)}</td>
            </tr>
          );
        })}
      </Comparison>
      <Facts
        facts={facts.map(([title, value]) => [
          title,
          <span key={title} className="mono">
            {value}
          </span>,
        ])}
      />
    </div>
  );
}
