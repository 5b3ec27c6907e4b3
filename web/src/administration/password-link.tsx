/** A one-time link to a password, for its person alone: the administrator passes it on, and cannot read it again. */
import { administration as text } from '../texts/account.ts';
import { SecretOnce } from '../tokens/secret-once.tsx';
import { Time } from '../ui/time.tsx';

interface Props {
  link: { url: string; 'expires-at': string };
  onStored: () => void;
}

export function PasswordLink({ link, onStored }: Props) {
  return (
    <SecretOnce
      secret={link.url}
      title={text.linkTitle}
      detail={text.linkDetail}
      stored={text.linkPassed}
      onStored={onStored}
    >
      <p className="muted">
        {text.linkEnds} <Time at={link['expires-at']} />
      </p>
    </SecretOnce>
  );
}
