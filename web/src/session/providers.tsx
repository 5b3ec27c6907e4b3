/** Single sign-on: a button for each provider, and why the last way by one did not end here. */
import { Button, Divider } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { answer, api } from '../api/client.ts';
import { singleSignOn as text } from '../texts/sign-in.ts';

const optionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: () => answer(api.GET('/sign-in-options')),
  staleTime: 60_000,
});

interface Props {
  /** The address within the interface that the person wanted. */
  to: string;
  /** Whether the page stays, and the way is gone in a window of its own. */
  isBeside?: boolean;
}

export function Providers({ to, isBeside = false }: Props) {
  const { data } = useQuery(optionsQuery);
  const providers = data?.data.attributes.providers ?? [];
  if (providers.length === 0) return null;
  return (
    <div className="stack">
      {providers.map(({ label, address }) => (
        // A page of the server, which leads elsewhere: no screen of this interface.
        <Button
          key={address}
          component="a"
          href={`${address}?to=${encodeURIComponent(`/app${to}`)}`}
          variant="default"
          fullWidth
          // It may close itself once it is back here.
          {...(isBeside && { target: '_blank', rel: 'opener' })}
        >
          {text.by(label)}
        </Button>
      ))}
      <Divider label={text.or} />
    </div>
  );
}

export function WhyRefused({ reason }: { reason: string | undefined }) {
  if (reason === undefined) return null;
  const known = Object.hasOwn(text.refused, reason)
    ? text.refused[reason as keyof typeof text.refused]
    : text.otherwise;
  return (
    <p role="alert" className="danger-text">
      {known}
    </p>
  );
}
