/** `terraform login` opens the page of tokens: it says what asks, for whom, and makes one on one press of a button. */
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { cache } from '../api/cache.ts';
import { paths } from '../paths.ts';
import { tokens as text } from '../texts/people.ts';
import { SecretOnce } from '../tokens/secret-once.tsx';
import type { GivenToken, Token } from '../tokens/token-list.tsx';
import { useFault } from '../ui/fault.tsx';
import { Icon } from '../ui/icon.tsx';

const lifetime_ms = 90 * 86_400_000;

export function TerraformLogin({ who, create }: { who: string; create: (attributes: GivenToken) => Promise<Token> }) {
  const { source } = useSearch({ strict: false }) as { source?: string };
  const [secret, setSecret] = useState<string | null>(null);
  const [fault, attempt, isBusy] = useFault();
  const navigate = useNavigate();
  if (source !== 'terraform-login') return null;
  const leave = () => void navigate({ to: paths.account('tokens'), replace: true });
  const allow = () =>
    attempt(async () => {
      const expires = new Date(Date.now() + lifetime_ms).toISOString();
      const made = await create({ description: 'terraform login', 'expired-at': expires });
      setSecret(made.attributes.token ?? null);
      await cache.invalidateQueries({ queryKey: ['tokens'] });
    });
  return (
    <section className="notice" data-kind="info" aria-label={text.loginTitle}>
      <Icon name="terminal" />
      <div className="stack tight grow">
        <h2>{text.loginTitle}</h2>
        <p>{text.login(who)}</p>
        {fault}
        <div className="line">
          <Button variant="filled" loading={isBusy} onClick={() => void allow()}>
            {text.submit}
          </Button>
          <Button variant="default" onClick={leave}>
            {text.refuse}
          </Button>
        </div>
      </div>
      {secret && (
        <SecretOnce secret={secret} onStored={leave}>
          <p>{text.loginPaste}</p>
        </SecretOnce>
      )}
    </section>
  );
}
