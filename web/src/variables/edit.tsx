/** One variable, new or to be changed. The value of a sensitive one is never shown: it can only be replaced. */
import { Select, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { faultsByField } from '../api/failure.ts';
import { common } from '../texts/common.ts';
import { variables as text } from '../texts/variables.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Draft } from './variables.ts';

interface Props {
  title: string;
  draft: Draft;
  isNew?: boolean;
  onClose: () => void;
  onSave: (draft: Draft) => Promise<void>;
}

export function VariableDialog({ title, draft: given, isNew = false, onClose, onSave }: Props) {
  const [draft, setDraft] = useState<Draft>({ ...given, value: given.sensitive ? '' : (given.value ?? '') });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const wasSensitive = !isNew && given.sensitive;
  const submit = async () => {
    try {
      const { key, value, category, hcl, sensitive, description } = draft;
      await onSave({ key, value, category, hcl, sensitive, description });
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
      onClose={onClose}
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
    </Dialog>
  );
}
