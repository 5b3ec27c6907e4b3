/** The second factor: asked for once the server says that the account has one. */
import { TextInput } from '@mantine/core';
import { ApiFailure } from '../api/failure.ts';
import { signIn as text } from '../texts/frame.ts';

export const isCodeWanted = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.status === 401 && /^second factor/.test(failure.errors[0]?.title ?? '');

export function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  return (
    <TextInput
      label={text.code}
      description={text.codeHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      maxLength={64}
      value={code}
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
