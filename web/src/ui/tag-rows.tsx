/** Tags a line each: key and value. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { common } from '../texts/common.ts';
import { Icon } from './icon.tsx';

export interface Binding {
  key: string;
  value: string;
}

const text = common.tags;
const most = 10;

/** As the server keeps them: without what is empty, in the order of their keys. */
export const inOrder = (bindings: readonly Binding[]): Binding[] =>
  bindings
    .map(({ key, value }) => ({ key: key.trim(), value: value.trim() }))
    .filter(({ key }) => key !== '')
    .sort((one, other) => (one.key < other.key ? -1 : 1));

export const asWords = (bindings: readonly Binding[]) =>
  bindings.map(({ key, value }) => (value ? `${key}: ${value}` : key)).join(', ');

/** What the form begins with: a line to type into, where there is no tag yet. */
export const rowsOf = (bindings: readonly Binding[]): readonly Binding[] =>
  bindings.length > 0 ? bindings : [{ key: '', value: '' }];

interface Props {
  rows: readonly Binding[];
  onChange: (rows: readonly Binding[]) => void;
}

export function TagRows({ rows, onChange }: Props) {
  const change = (at: number, part: Partial<Binding>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...part } : row)));
  return (
    <>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place.
        <div key={index} className="line">
          <TextInput
            aria-label={text.key(index + 1)}
            placeholder={text.keyPlaceholder}
            className="grow"
            maxLength={128}
            value={row.key}
            data-autofocus={index === 0 || undefined}
            onChange={event => change(index, { key: event.currentTarget.value })}
          />
          <TextInput
            aria-label={text.value(index + 1)}
            placeholder={text.valuePlaceholder}
            className="grow"
            maxLength={256}
            value={row.value}
            onChange={event => change(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            aria-label={text.remove(row.key)}
            onClick={() => onChange(rows.filter((_, other) => other !== index))}
          >
            <Icon name="x" />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={rows.length >= most}
          onClick={() => onChange([...rows, { key: '', value: '' }])}
        >
          {text.add}
        </Button>
      </div>
    </>
  );
}
