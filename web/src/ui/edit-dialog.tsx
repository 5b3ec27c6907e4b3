/** Changes one record in a dialog: only what changed is sent, and what others wrote meanwhile is not written over unseen. */
import { useState } from 'react';
import { CreateDialog } from './create-dialog.tsx';
import { type Field, wordsOf } from './field.tsx';
import { changesOf, type Meant, type Reading, useSaving, type Values } from './saving.tsx';

interface Props<A extends object> {
  title: string;
  submit: string;
  fields: readonly Field<keyof A & string>[];
  /** What the server held when the dialog was opened. */
  values: object;
  /** Reads it again, past the cache. */
  read: () => Promise<Reading>;
  save: (changes: A, meant: Meant) => Promise<unknown>;
  onClose: () => void;
}

export function EditDialog<A extends object>({ fields, values, read, save, onClose, ...rest }: Props<A>) {
  const [before] = useState(() => Object.fromEntries(fields.map(({ key }) => [key, (values as Values)[key]])));
  const [send, conflict] = useSaving<A>({ ...wordsOf(fields), read, save });
  const secrets = fields.filter(({ kind }) => kind === 'secret').map(({ key }) => key as string);
  const submit = async (after: Values) => {
    const changes = Object.entries(changesOf(before, after));
    // A secret that nobody typed stays what it is.
    const mine = Object.fromEntries(changes.filter(([key, value]) => !(secrets.includes(key) && value === '')));
    return Object.keys(mine).length === 0 || (await send(before, mine as A)) !== null;
  };
  return (
    <CreateDialog<Values>
      {...rest}
      fields={fields}
      initial={before}
      create={submit}
      onClose={conflict ? stay : onClose}
    >
      {conflict}
    </CreateDialog>
  );
}

/** While somebody chooses between two values, Escape is meant for that choice alone. */
const stay = () => {};
