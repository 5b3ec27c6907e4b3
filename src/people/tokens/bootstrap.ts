/** The first administrator: made once, at the first start, with a token of the operator's choice or a generated one. */
import type { Config } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Store } from '../../core/store/store.ts';
import { defaultExpiry, newToken, tokenHash } from './secret.ts';

const username = 'admin';

/** `token` is there only when this call made the administrator, which two servers at once cannot both do. */
export async function bootstrapAdministrator(
  store: Store,
  config: Config,
): Promise<{ username: string; token?: string }> {
  const userId = newId('user');
  return store.transaction(async sql => {
    const made = await sql`
      insert into users (id, username, email, is_admin) values (${userId}, ${username}, 'admin@localhost', true)
      on conflict do nothing returning users.id`;
    if (made.length === 0) return { username };
    const token = config.adminToken ?? newToken();
    await sql`
      insert into tokens ${row(sql, {
        id: newId('at'),
        kind: 'user',
        user_id: userId,
        hash: tokenHash(config.tokenPepper ?? '', token),
        description: 'first start',
        expired_at: config.adminToken ? null : defaultExpiry(config.tokenTtlDays),
        created_by_type: 'users',
        created_by_id: userId,
      })}`;
    return { username, token };
  });
}
