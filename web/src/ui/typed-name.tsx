/** The name to type before something is deleted for good. It can be selected and pasted. */
import { TextInput } from '@mantine/core';
import { common } from '../texts/common.ts';

interface Props {
  name: string;
  value: string;
  onChange: (typed: string) => void;
}

export function TypedName({ name, value, onChange }: Props) {
  return (
    <TextInput
      label={
        <>
          {common.typeName} <span className="mono">{name}</span>
        </>
      }
      value={value}
      spellCheck={false}
      autoComplete="off"
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
