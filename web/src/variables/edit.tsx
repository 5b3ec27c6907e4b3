/** One variable, new or to be changed. The value of a sensitive one is never shown: it can only be replaced. */
import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { variables as text } from '../texts/variables.ts';
import { Dialog } from '../ui/dialog.tsx';
import { changesOf, type Meant, type Reading, useSaving } from '../ui/saving.tsx';
import { type Draft, draftOf } from './variables.ts';

interface Props {
  title: string;
  draft: Draft;
  /** Reads it again, where it is there already. */
  read?: () => Promise<Reading>;
  onClose: () => void;
  onSave: (changes: Partial<Draft>, meant: Meant) => Promise<unknown>;
}

/** A new one holds nothing that others could have changed. */
const nothing = async (): Promise<Reading> => ({ values: {} });

export function VariableDialog({ title, draft: given, read, onClose, onSave }: Props) {
  const isNew = !read;
  const [before] = useState(() => draftOf(given));
  const [draft, setDraft] = useState(before);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const [send, conflict] = useSaving<Partial<Draft>>({
    labelOf: key => text[key as keyof Draft],
    wordOf: (key, value) => (key === 'category' ? text.categories[String(value)] : undefined),
    read: read ?? nothing,
    save: onSave,
  });
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const wasSensitive = !isNew && given.sensitive;
  const submit = async () => {
    try {
      if (isNew) await onSave(draft, {});
      else if ((await send(before, changesOf(before, draft))) === null) return;
      onClose();
    } catch (caught) {
      setFaults(faultsByField(caught));
      throw caught;
    }
  };
  return (
    <Dialog
      title={title}
      opened
      onClose={conflict ? () => {} : onClose}
      submit={isNew ? text.addSubmit : common.saveChanges}
      onSubmit={submit}
    >
      <div className="form-pair">
        <TextInput
          label={text.key}
          data-autofocus
          spellCheck={false}
          value={draft.key}
          error={faults['key']}
          onChange={event => set({ key: event.currentTarget.value })}
        />
        <Select
          label={text.category}
          data={Object.entries(text.categories).map(([value, label]) => ({ value, label }))}
          value={draft.category}
          error={faults['category']}
          onChange={category => category && set({ category: category as Draft['category'] })}
        />
      </div>
      <Textarea
        label={text.value}
        description={wasSensitive && text.keepHidden}
        className="mono-input"
        spellCheck={false}
        value={draft.value ?? ''}
        error={faults['value']}
        onChange={event => set({ value: event.currentTarget.value })}
      />
      <TextInput
        label={`${text.description} ${common.optional}`}
        value={draft.description ?? ''}
        error={faults['description']}
        onChange={event => set({ description: event.currentTarget.value })}
      />
      <Switch
        label={text.hcl}
        description={text.hclHint}
        checked={draft.hcl}
        onChange={event => set({ hcl: event.currentTarget.checked })}
      />
      <Switch
        label={text.sensitive}
        description={text.sensitiveHint}
        checked={draft.sensitive}
        disabled={wasSensitive}
        onChange={event => set({ sensitive: event.currentTarget.checked })}
      />
      {conflict}
    </Dialog>
  );
}
