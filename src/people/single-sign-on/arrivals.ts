/** Assertions are taken once, by whichever server, and whoever they speak of arrives with the browser's next request. */
import type { Config } from '../../core/config.ts';
import { randomBase62 } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { tokenHash } from '../tokens/secret.ts';
import type { Profile } from './profile.ts';
import { SignInRefusal } from './refusal.ts';
import type { Vouched } from './saml.ts';

/** The browser is on its way. */
const lifetime_ms = 60_000;

/** Takes the assertion, and returns the ticket by which its person arrives. Throws where it was taken before. */
export async function takeAssertion(
  sql: Sql,
  config: Config,
  provider: string,
  { profile, assertionId, requestId, ends }: Vouched,
): Promise<string> {
  const [taken] = await sql`
    insert into taken_assertions (issuer, assertion_id, expires_at)
    values (${profile.issuer}, ${assertionId}, ${ends.toISOString()})
    on conflict do nothing returning taken_assertions.assertion_id`;
  if (!taken) throw new SignInRefusal('provider-unusable', 'The assertion was used before.');
  const ticket = randomBase62(43);
  await sql`
    insert into saml_arrivals ${row(sql, {
      hash: ticketHash(config, ticket),
      provider,
      request_id: requestId,
      profile: sql.json(profile),
      expires_at: new Date(Date.now() + lifetime_ms).toISOString(),
    })}`;
  return ticket;
}

/** Whom the ticket stands for, in the browser that made the request. It is void from now on, whoever shows it. */
export async function takeArrival(
  sql: Sql,
  config: Config,
  { provider, requestId, ticket }: { provider: string; requestId: string | undefined; ticket: string },
): Promise<Profile> {
  const [arrival] = await sql<{ profile: Profile; provider: string; request_id: string }[]>`
    delete from saml_arrivals
    where saml_arrivals.hash = ${ticketHash(config, ticket)} and saml_arrivals.expires_at > now()
    returning saml_arrivals.profile, saml_arrivals.provider, saml_arrivals.request_id`;
  const isTheirs = arrival && arrival.provider === provider && arrival.request_id === requestId;
  if (!isTheirs) throw new SignInRefusal('not-begun-here');
  return arrival.profile;
}

const ticketHash = ({ tokenPepper = '' }: Config, ticket: string) => tokenHash(tokenPepper, `sign-in ticket ${ticket}`);

/** Deletes what can be used no more. */
export async function sweepArrivals(sql: Sql): Promise<void> {
  await sql`delete from taken_assertions where taken_assertions.expires_at < now()`;
  await sql`delete from saml_arrivals where saml_arrivals.expires_at < now()`;
}
