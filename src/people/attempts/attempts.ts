/** How often somebody may try to sign in: counted before anything is hashed, by account and by address, across all servers. */
import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Fragment, Sql } from '../../core/store/store.ts';

export interface Attempt {
  /** It was the right person: what was counted of the account counts no more. */
  forget: () => Promise<void>;
  /** It was no attempt yet. */
  giveBack: () => Promise<void>;
}

/**
 * Counts an attempt. Throws `sign-in-limited` once there were too many: the same whether the account exists or not. From an
 * address where its person has signed in before, the account has attempts of its own: guesses from elsewhere leave them.
 */
export async function countAttempt(sql: Sql, config: Config, account: string, address: string): Promise<Attempt> {
  const anywhere = keyOf(config, `account ${account}`);
  const familiar = familiarKey(config, account, address);
  const addressKey = addressKeyOf(config, address);
  const accountKey = sql`(
    select case
      when exists (select from familiar_addresses where familiar_addresses.key = ${familiar}) then ${familiar}::bytea
      else ${anywhere}::bytea
    end
  )`;
  const counted = await count(sql, accountKey, addressKey);
  const key = counted.find(one => !one.key.equals(addressKey))!.key;
  const { accountAttempts_items: ofAccount, addressAttempts_items: ofAddress } = limits;
  requireFew(counted, one => (one.equals(addressKey) ? ofAddress : ofAccount).value);
  return {
    forget: async () => {
      await sql`delete from sign_in_attempts where sign_in_attempts.key = ${key}`;
      await countLess(sql, addressKey);
    },
    giveBack: async () => {
      await countLess(sql, key);
      await countLess(sql, addressKey);
    },
  };
}

/** As `countAttempt`, where it turns out only later whose account it is about. */
export async function countAddress(sql: Sql, config: Config, address: string): Promise<Pick<Attempt, 'giveBack'>> {
  const key = addressKeyOf(config, address);
  requireFew(await count(sql, sql`${key}::bytea`), () => limits.addressAttempts_items.value);
  return { giveBack: () => countLess(sql, key) };
}

/** The person was there: the account's attempts from that address are its own from now on. */
export async function rememberAddress(sql: Sql, config: Config, userId: string, address: string): Promise<void> {
  await sql`
    insert into familiar_addresses (key, user_id) values (${familiarKey(config, userId, address)}, ${userId})
    on conflict (key) do update set last_used_at = now()`;
}

interface Counted {
  key: Buffer;
  count: number;
  seconds_left: number;
}

/** In one order, so that two attempts never wait for each other. */
async function count(sql: Sql, first: Fragment, second: Buffer | null = null): Promise<Counted[]> {
  const window = `${limits.attemptsWindow_ms.value} milliseconds`;
  return sql<Counted[]>`
    insert into sign_in_attempts (key, count, window_ends_at)
    select given.key, 1, now() + ${window}::interval
    from (select ${first} union all select ${second}::bytea) as given (key)
    where given.key is not null
    order by given.key
    on conflict (key) do update set
      count = case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.count + 1 end,
      window_ends_at = case
        when sign_in_attempts.window_ends_at < now() then excluded.window_ends_at else sign_in_attempts.window_ends_at
      end
    returning sign_in_attempts.key, sign_in_attempts.count,
      ceil(extract(epoch from sign_in_attempts.window_ends_at - now()))::integer as seconds_left`;
}

function requireFew(counted: readonly Counted[], most: (key: Buffer) => number): void {
  const exceeded = counted.filter(one => one.count > most(one.key));
  if (exceeded.length === 0) return;
  const seconds = Math.max(1, ...exceeded.map(one => one.seconds_left));
  throw new ApiError('sign-in-limited', { retryAfter_s: seconds });
}

async function countLess(sql: Sql, key: Buffer): Promise<void> {
  await sql`update sign_in_attempts set count = sign_in_attempts.count - 1 where sign_in_attempts.key = ${key}`;
}

/** Names that people mistype may be passwords: only a digest is kept. */
function keyOf({ tokenPepper = '' }: Config, text: string): Buffer {
  return createHmac('sha256', tokenPepper).update(text).digest();
}

const addressKeyOf = (config: Config, address: string) => keyOf(config, `address ${networkOf(address)}`);

const familiarKey = (config: Config, account: string, address: string) =>
  keyOf(config, `account ${account} at ${networkOf(address)}`);

/** Whoever has one address of IPv6 has all of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [before = [], after = []] = address.split('::').map(part => part.split(':'));
  const between = Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...between, ...after];
  return groups.slice(0, 4).join(':');
}

/** Deletes what counts no more. */
export async function sweepAttempts(sql: Sql): Promise<void> {
  await sql`delete from sign_in_attempts where sign_in_attempts.window_ends_at < now()`;
  await sql`
    delete from familiar_addresses
    where familiar_addresses.last_used_at < now() - ${limits.familiarAddress_days.value} * interval '1 day'`;
}
