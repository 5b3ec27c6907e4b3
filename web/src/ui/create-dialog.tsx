/** Makes one record, or changes one: its fields, a button, and each refusal at its field. */
import { type ReactNode, useState } from 'react';
import { faultsByField } from '../api/failure.ts';
import { Dialog } from './dialog.tsx';
import { type Field, FieldInput } from './field.tsx';
import type { Values } from './saving.tsx';

interface Props<A extends object> {
  title: string;
  submit: string;
  fields: readonly Field<keyof A & string>[];
  /** What stands in fields that nobody has touched; it is sent along. */
  initial?: Partial<A>;
  /** What other fields hold from now on, where one of them was changed. */
  follows?: (values: Values, key: string) => Values;
  /** Whether all is there that the API needs is for the API to say, at the field. Where it answers false, the dialog stays. */
  create: (attributes: A) => Promise<unknown>;
  onClose: () => void;
  children?: ReactNode;
}

export function CreateDialog<A extends object>(props: Props<A>) {
  const { title, submit, fields, initial = {}, follows, create, onClose, children } = props;
  const [typed, setTyped] = useState<Values>({});
  const values: Values = { ...initial, ...typed };
  const [faults, setFaults] = useState<Record<string, string>>({});
  const put = (key: string, value: unknown) =>
    setTyped({ ...typed, [key]: value, ...follows?.({ ...values, [key]: value }, key) });
  const send = async () => {
    try {
      if ((await create(values as A)) !== false) onClose();
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
          onChange={value => put(field.key, value)}
        />
      ))}
    </Dialog>
  );
}
