/** Many variables at once, from the text of a .tfvars file. What failed is named, with the reason. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { variables as text } from '../texts/variables.ts';
import { Dialog } from '../ui/dialog.tsx';
import { parseTfvars } from './tfvars.ts';
import { type Draft, emptyVariable } from './variables.ts';

export function PasteDialog({ onClose, onSave }: { onClose: () => void; onSave: (draft: Draft) => Promise<void> }) {
  const [typed, setTyped] = useState('');
  const [failed, setFailed] = useState<string[]>([]);
  const found = parseTfvars(typed);
  const submit = async () => {
    const left: string[] = [];
    for (const assignment of found) {
      await onSave({ ...emptyVariable, ...assignment }).catch((caught: unknown) => {
        left.push(`${assignment.key} (${caught instanceof Error ? caught.message : String(caught)})`);
      });
    }
    setFailed(left);
    if (left.length === 0) onClose();
  };
  return (
    <Dialog
      title={text.pasteTitle}
      opened
      onClose={onClose}
      submit={text.pasteSubmit(found.length)}
      submitDisabled={found.length === 0}
      onSubmit={submit}
    >
      <Textarea
        label={text.pasteLabel}
        description={text.pasteHint}
        data-autofocus
        className="mono-input"
        spellCheck={false}
        minRows={8}
        maxRows={20}
        value={typed}
        onChange={event => setTyped(event.currentTarget.value)}
      />
      {failed.length > 0 && (
        <p className="danger-text" role="alert">
          {text.pasteLeft(failed.join(', '))}
        </p>
      )}
    </Dialog>
  );
}
