/** The second factor: asked for once the server says that the account has one. */
import { TextInput } from '@mantine/core';
import { ApiFailure } from '../api/failure.ts';
import { signIn as text } from '../texts/frame.ts';

export const isCodeWanted = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.status === 401 && /^second factor/.test(failure.errors[0]?.title ?? '');

interface Props {
  code: string;
  hint?: string;
  onChange: (code: string) => void;
}

export function CodeField({ code, hint = text.codeHint, onChange }: Props) {
  return (
    <TextInput
      label={text.code}
      description={hint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      data-autofocus
      maxLength={64}
      value={code}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
