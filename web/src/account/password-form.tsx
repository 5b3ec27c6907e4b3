/** A password of one's own: the first one, or another one. */
import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { answer, api, documentOf } from '../api/client.ts';
import { faultsByField } from '../api/failure.ts';
import { account as text } from '../texts/account.ts';
import { useFault } from '../ui/fault.tsx';
import { tell } from '../ui/tell.tsx';

export function PasswordForm({ onDone, isFirst = false }: { onDone?: () => void; isFirst?: boolean }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [fault, attempt, isBusy, failure] = useFault();
  const faults = faultsByField(failure);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const attributes = { password: next, ...(current && { 'current-password': current }) };
    const hasChanged = await attempt(() =>
      answer(api.PATCH('/account/password', { body: documentOf('passwords', attributes) })),
    );
    if (!hasChanged) return;
    setCurrent('');
    setNext('');
    tell(text.passwordChanged);
    onDone?.();
  };
  const isAtFields = Boolean(faults['password'] ?? faults['current-password']);
  return (
    <form className="form" onSubmit={event => void submit(event)}>
      {!isFirst && (
        <PasswordInput
          label={text.currentPassword}
          description={text.currentHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="current-password"
          value={current}
          error={faults['current-password']}
          onChange={event => setCurrent(event.currentTarget.value)}
        />
      )}
      <PasswordInput
        label={text.newPassword}
        description={text.newHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="new-password"
        value={next}
        error={faults['password']}
        onChange={event => setNext(event.currentTarget.value)}
      />
      {!isAtFields && fault}
      <div>
        <Button type="submit" variant="filled" loading={isBusy} disabled={next === ''}>
          {text.changePassword}
        </Button>
      </div>
    </form>
  );
}
