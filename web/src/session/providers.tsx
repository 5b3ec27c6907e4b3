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

/** `to` is the address within the interface that the person wanted. */
export function Providers({ to }: { to: string }) {
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
