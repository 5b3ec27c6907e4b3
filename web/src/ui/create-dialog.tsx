/** Makes one record: its fields, a button, and each refusal at its field. */
import { type ReactNode, useState } from 'react';
import { faultsByField } from '../api/failure.ts';
import { Dialog } from './dialog.tsx';
import { type Field, FieldInput } from './record-form.tsx';
import type { Values } from './saving.tsx';

interface Props<A extends object> {
  title: string;
  submit: string;
  fields: readonly Field<keyof A & string>[];
  initial?: Partial<A>;
  /** Whether all is there that the API needs is for the API to say, at the field. */
  create: (attributes: A) => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

export function CreateDialog<A extends object>(props: Props<A>) {
  const { title, submit, fields, initial = {}, create, onClose, children } = props;
  const [values, setValues] = useState<Values>({ ...initial });
  const [faults, setFaults] = useState<Record<string, string>>({});
  const send = async () => {
    try {
      await create(values as A);
      onClose();
    } catch (caught) {
      setFaults(faultsByField(caught));
      throw caught;
    }
  };
  return (
    <Dialog title={title} opened onClose={onClose} submit={submit} onSubmit={send}>
      {children}
      {fields.map((field, index) => (
        <FieldInput
          key={field.key}
          field={field}
          value={values[field.key]}
          error={faults[field.key]}
          isFirst={index === 0}
          onChange={value => setValues({ ...values, [field.key]: value })}
        />
      ))}
    </Dialog>
  );
}
