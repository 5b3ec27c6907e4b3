/** How often somebody may try to sign in: counted before anything is hashed, by account and by address, across all servers. */
import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Config } from '../../core/config.ts';
import { ApiError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sql } from '../../core/store/store.ts';

export interface Attempt {
  /** It was the right person: what was counted of the account counts no more. */
  forget: () => Promise<void>;
  /** It was no attempt yet. */
  giveBack: () => Promise<void>;
}

/** Counts an attempt. Throws `sign-in-limited` once there were too many: the same whether the account exists or not. */
export async function countAttempt(sql: Sql, config: Config, account: string, address: string): Promise<Attempt> {
  const accountKey = keyOf(config, `account ${account}`);
  const addressKey = keyOf(config, `address ${networkOf(address)}`);
  // In one order, so that two attempts never wait for each other.
  const [first, second] = [accountKey, addressKey].sort(Buffer.compare) as [Buffer, Buffer];
  const window = `${limits.attemptsWindow_ms.value} milliseconds`;
  const counted = await sql<{ key: Buffer; count: number; seconds_left: number }[]>`
    insert into sign_in_attempts (key, count, window_ends_at)
    values (${first}, 1, now() + ${window}::interval), (${second}, 1, now() + ${window}::interval)
    on conflict (key) do update set
      count = case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.count + 1 end,
      window_ends_at = case
        when sign_in_attempts.window_ends_at < now() then excluded.window_ends_at else sign_in_attempts.window_ends_at
      end
    returning sign_in_attempts.key, sign_in_attempts.count,
      ceil(extract(epoch from sign_in_attempts.window_ends_at - now()))::integer as seconds_left`;
  const exceeded = counted.filter(({ key, count }) => count > mostOf(accountKey.equals(key)));
  if (exceeded.length > 0) {
    const seconds = Math.max(1, ...exceeded.map(one => one.seconds_left));
    throw new ApiError('sign-in-limited', { retryAfter_s: seconds });
  }
  const lessOf = async (key: Buffer) => {
    await sql`update sign_in_attempts set count = sign_in_attempts.count - 1 where sign_in_attempts.key = ${key}`;
  };
  return {
    forget: async () => {
      await sql`delete from sign_in_attempts where sign_in_attempts.key = ${accountKey}`;
      await lessOf(addressKey);
    },
    giveBack: async () => {
      await lessOf(accountKey);
      await lessOf(addressKey);
    },
  };
}

const mostOf = (isAccount: boolean) => (isAccount ? limits.accountAttempts_items : limits.addressAttempts_items).value;

/** Names that people mistype may be passwords: only a digest is kept. */
function keyOf({ tokenPepper = '' }: Config, text: string): Buffer {
  return createHmac('sha256', tokenPepper).update(text).digest();
}

/** Whoever has one address of IPv6 has all of its network. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':');
  const between = Array<string>(8 - before.length - tail.split(':').length).fill('0');
  const groups = address.includes('::') ? [...before, ...between] : before;
  return groups.slice(0, 4).join(':');
}

/** Deletes what counts no more. */
export async function sweepAttempts(sql: Sql): Promise<void> {
  await sql`delete from sign_in_attempts where sign_in_attempts.window_ends_at < now()`;
}
