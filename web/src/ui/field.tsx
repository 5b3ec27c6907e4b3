/** One field of a form, by what it holds: its label, its hint, and the refusal that is meant for it. */
import {
  Autocomplete,
  MultiSelect,
  NumberInput,
  PasswordInput,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';

export interface Field<Key extends string = string> {
  /** The attribute, as the API calls it. */
  key: Key;
  label: string;
  /** As it stands, or by what is in the field. */
  hint?: ReactNode | ((value: unknown) => ReactNode);
  /** A secret is typed and sent, and never comes back; a moment is in UTC, to the minute, and can be left empty. */
  kind: 'text' | 'lines' | 'switch' | 'choice' | 'choices' | 'number' | 'secret' | 'moment';
  /** To choose from; in a text they are offered, and others can be typed. */
  options?: { value: string; label: string }[];
  /** Whether it can be left empty, which the API then takes as null. */
  isNullable?: boolean;
  isMono?: boolean;
}

/** The words for the fields of a form, where their keys and values are told of elsewhere. */
export const wordsOf = (fields: readonly Field[]) => {
  const fieldOf = (key: string) => fields.find(field => field.key === key);
  return {
    labelOf: (key: string) => fieldOf(key)?.label ?? key,
    wordOf: (key: string, value: unknown) => {
      const options = fieldOf(key)?.options;
      const one = (chosen: unknown) => options?.find(option => option.value === chosen)?.label;
      return Array.isArray(value) && options ? value.map(chosen => one(chosen) ?? chosen).join(', ') : one(value);
    },
  };
};

interface InputProps {
  field: Field;
  value: unknown;
  error: string | undefined;
  /** Whether a dialog puts the focus here. */
  isFirst?: boolean;
  onChange: (value: unknown) => void;
}

export function FieldInput({
  field: { key, label, hint, kind, options, isNullable, isMono },
  value,
  error,
  isFirst,
  onChange,
}: InputProps) {
  const usual = {
    label,
    description: typeof hint === 'function' ? hint(value) : hint,
    error,
    name: key,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    'data-autofocus': isFirst || undefined,
  };
  const text = (typed: string) => onChange(isNullable && typed === '' ? null : typed);
  if (kind === 'switch')
    return (
      <Switch
        label={label}
        description={usual.description}
        error={error}
        checked={value === true}
        onChange={event => onChange(event.currentTarget.checked)}
      />
    );
  if (kind === 'choice')
    return (
      <Select
        {...usual}
        data={options ?? []}
        value={(value as string | null) ?? null}
        onChange={onChange}
        clearable={isNullable ?? false}
        searchable={(options?.length ?? 0) > 8}
      />
    );
  if (kind === 'choices')
    return (
      <MultiSelect
        {...usual}
        data={options ?? []}
        value={(value as string[] | undefined) ?? []}
        onChange={onChange}
        searchable
        limit={50}
      />
    );
  if (kind === 'number')
    return (
      <NumberInput
        {...usual}
        hideControls
        value={(value as number | null) ?? ''}
        onChange={typed => onChange(typed === '' ? null : Number(typed))}
      />
    );
  if (kind === 'moment' || kind === 'secret')
    return <Special usual={usual} kind={kind} value={value as string | null} onChange={onChange} />;
  if (kind === 'lines')
    return (
      <Textarea
        {...usual}
        minRows={2}
        value={Array.isArray(value) ? value.join('\n') : ((value as string | null) ?? '')}
        onChange={event => {
          const typed = event.currentTarget.value;
          if (Array.isArray(value)) onChange(typed === '' ? [] : typed.split('\n'));
          else text(typed);
        }}
      />
    );
  return <Line usual={usual} options={options} isMono={isMono} value={value as string | null} onChange={text} />;
}

interface LineProps {
  options: Field['options'];
  isMono: boolean | undefined;
  usual: object;
  value: string | null;
  onChange: (typed: string) => void;
}

/** A line of text; where something fits it is offered, and anything else can be typed. */
function Line({ usual, options, isMono, value, onChange }: LineProps) {
  if (options)
    return (
      <Autocomplete {...usual} data={options.map(option => option.value)} value={value ?? ''} onChange={onChange} />
    );
  return (
    <TextInput
      {...usual}
      className={isMono ? 'mono-input' : ''}
      spellCheck={!isMono}
      value={value ?? ''}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}

interface SpecialProps {
  usual: object;
  kind: 'moment' | 'secret';
  value: string | null | undefined;
  onChange: (value: string | null) => void;
}

/** Texts that are typed in a way of their own. */
function Special({ usual, kind, value, onChange }: SpecialProps) {
  if (kind === 'moment')
    return (
      <TextInput
        {...usual}
        type="datetime-local"
        value={value?.slice(0, 16) ?? ''}
        onChange={({ currentTarget: { value: typed } }) => onChange(typed === '' ? null : `${typed}:00Z`)}
      />
    );
  return (
    <PasswordInput
      {...usual}
      autoComplete="off"
      className="mono-input"
      value={value ?? ''}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
