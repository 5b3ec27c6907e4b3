/** What a notification is: where it goes, of what it tells, and whether it is on. */
import { Checkbox, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, faultsByField } from '../api/failure.ts';
import { membershipsQuery } from '../members/members.ts';
import { notifications as text } from '../texts/notifications.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type Field, FieldInput } from '../ui/field.tsx';
import { changesOf, readingOf, useSaving } from '../ui/saving.tsx';
import {
  createNotification,
  type Destination,
  type GivenAttributes,
  type Notification,
  type NotificationChanges,
  readNotification,
  type Source,
  type Trigger,
  updateNotification,
} from './notifications.ts';

interface Props {
  organization: string;
  source: Source;
  /** Null: a new one. */
  notification: Notification | null;
  onClose: () => void;
}

interface Draft {
  'destination-type': Destination;
  name: string;
  url: string;
  token: string;
  isUnsigned: boolean;
  users: string[];
  'email-addresses': string[];
  triggers: string[];
  enabled: boolean;
}

const offered = Object.entries(text.trigger);

function draftOf(notification: Notification | null): Draft {
  const { attributes, relationships } = notification ?? {};
  return {
    'destination-type': attributes?.['destination-type'] ?? 'generic',
    name: attributes?.name ?? '',
    url: attributes?.url ?? '',
    token: '',
    isUnsigned: false,
    users: relationships?.users.data.map(({ id }) => id) ?? [],
    'email-addresses': attributes?.['email-addresses'] ?? [],
    triggers: attributes?.triggers ?? ['run:needs_attention', 'run:errored'],
    enabled: attributes?.enabled ?? true,
  };
}

/** What the API is sent: nothing that its destination has no use for, and no token that nobody typed. */
function attributesOf(draft: Draft): GivenAttributes {
  const { 'destination-type': type, name, enabled } = draft;
  const usual = { 'destination-type': type, name, enabled, triggers: draft.triggers as Trigger[] };
  if (type === 'email') return { ...usual, 'email-addresses': draft['email-addresses'].filter(line => line !== '') };
  const token = draft.isUnsigned ? { token: null } : draft.token !== '' ? { token: draft.token } : {};
  return { ...usual, url: draft.url, ...(type === 'generic' && token) };
}

export function NotificationDialog({ organization, source, notification, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(notification));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const type = draft['destination-type'];
  const [before] = useState(() => heldBy(notification));
  const [send, conflict] = useSaving<NotificationChanges>({
    labelOf: key => labels[key] ?? key,
    read: async () => readingOf(await readNotification(notification!.id), ({ data }) => heldBy(data)),
    save: (changes, meant) => updateNotification(notification!.id, changes, meant),
  });
  const submit = async () => {
    const attributes = attributesOf(draft);
    const users = type === 'email' ? draft.users : [];
    try {
      if (!notification) await createNotification(source, attributes, users);
      else if (!(await isSaved({ ...attributes, ...(type === 'email' && { users }) }))) return;
      onClose();
    } catch (caught) {
      setFaults(faultsOf(caught));
      throw caught;
    }
  };
  const isSaved = async (after: NotificationChanges) => {
    const changes = changesOf<NotificationChanges>(before, after);
    return Object.keys(changes).length === 0 || (await send(before, changes)) !== null;
  };
  const input = (field: Field<keyof Draft>, isFirst = false) => (
    <FieldInput
      field={field}
      value={draft[field.key]}
      error={faults[field.key]}
      isFirst={isFirst}
      onChange={value => setDraft({ ...draft, [field.key]: value })}
    />
  );
  return (
    <Dialog
      title={notification ? text.editTitle(notification.attributes.name) : text.addSubmit}
      opened
      onClose={conflict ? () => {} : onClose}
      submit={notification ? text.saveSubmit : text.addSubmit}
      onSubmit={submit}
    >
      {input({ key: 'name', label: text.name, kind: 'text' }, true)}
      {!notification && input(destinationField)}
      {type === 'email' ? (
        <>
          <Members
            organization={organization}
            value={draft.users}
            error={faults['users']}
            onChange={users => setDraft({ ...draft, users })}
          />
          {input({ key: 'email-addresses', label: text.addresses, hint: text.addressesHint, kind: 'lines' })}
        </>
      ) : (
        input({ key: 'url', label: text.url, hint: text.urlHint[type], kind: 'text', isMono: true })
      )}
      {type === 'generic' && !draft.isUnsigned && input(tokenField(notification))}
      {type === 'generic' && notification && input({ key: 'isUnsigned', label: text.tokenNone, kind: 'switch' })}
      <Triggers
        value={draft.triggers}
        error={faults['triggers']}
        onChange={triggers => setDraft({ ...draft, triggers })}
      />
      {input({
        key: 'enabled',
        label: text.enabled,
        kind: 'switch',
        ...(type !== 'email' && { hint: text.enabledHint }),
      })}
      {conflict}
    </Dialog>
  );
}

/** What the server holds, as it would be sent. Of a token it says nothing: an empty one stands for whichever there is. */
function heldBy(notification: Notification | null): NotificationChanges {
  const draft = draftOf(notification);
  return { ...attributesOf(draft), token: '', ...(draft['destination-type'] === 'email' && { users: draft.users }) };
}

const labels: Record<string, string> = {
  name: text.name,
  url: text.url,
  token: text.token,
  triggers: text.triggers,
  users: text.users,
  'email-addresses': text.addresses,
  enabled: text.enabled,
};

/** A destination that does not take the trial is refused as a whole: it is the address that is meant. */
function faultsOf(failure: unknown): Record<string, string> {
  const { '': whole, ...fields } = faultsByField(failure);
  return failure instanceof ApiFailure && failure.status === 400 && whole ? { url: whole } : fields;
}

const destinationField: Field<keyof Draft> = {
  key: 'destination-type',
  label: text.destination,
  hint: text.destinationHint,
  kind: 'choice',
  options: Object.entries(text.destinations).map(([value, label]) => ({ value, label })),
};

const tokenField = (notification: Notification | null): Field<keyof Draft> => ({
  key: 'token',
  label: text.token,
  hint: notification ? text.tokenKeep : text.tokenHint,
  kind: 'secret',
});

interface MembersProps {
  organization: string;
  value: string[];
  error: string | undefined;
  onChange: (users: string[]) => void;
}

function Members({ organization, value, error, onChange }: MembersProps) {
  const { data } = useQuery(membershipsQuery(organization, { status: 'active' }));
  const options = (data?.data ?? []).flatMap(({ attributes, relationships }) => {
    const id = relationships.user.data?.id;
    return id ? [{ value: id, label: attributes.email }] : [];
  });
  return (
    <MultiSelect
      label={text.users}
      description={text.usersHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      searchable
      limit={50}
      data={options}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}

interface TriggersProps {
  value: string[];
  error: string | undefined;
  onChange: (triggers: string[]) => void;
}

/** What clients have chosen besides stays chosen. */
function Triggers({ value, error, onChange }: TriggersProps) {
  return (
    <Checkbox.Group label={text.triggers} value={value} error={error} onChange={onChange}>
      <div className="stack tight choices">
        {offered.map(([trigger, label]) => (
          <Checkbox key={trigger} value={trigger} label={label} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
