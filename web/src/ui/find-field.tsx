/** The field that searches a list. What is typed there goes into the address; / goes to it. */
import { TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useKeys } from '../frame/keys.ts';
import type { ListAddress } from './list-address.ts';

interface Props {
  label: string;
  hint?: string;
  address: ListAddress;
}

export function FindField({ label, hint = label, address }: Props) {
  const field = useRef<HTMLInputElement>(null);
  useKeys({ filter: () => field.current?.focus() });
  return (
    <TextInput
      ref={field}
      aria-label={label}
      placeholder={hint}
      value={address.typed}
      onChange={event => address.onType(event.currentTarget.value)}
    />
  );
}
