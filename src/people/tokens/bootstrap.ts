/** The first administrator: made where there is none, with a token of the operator's choice or a generated one. */
import type { SystemActor } from '../../core/audit/change.ts';
import type { Config } from '../../core/config.ts';
import { newId } from '../../core/store/ids.ts';
import { row, type Sql, type Store } from '../../core/store/store.ts';
import { recordEvent } from '../../organizations/audit/record.ts';
import { defaultExpiry, newToken, tokenHash } from './secret.ts';

const username = 'admin';
const actor: SystemActor = { kind: 'system', userId: 'first-start', username: 'First start', tokenId: null };

/** The token of the administrator that this call made. Undefined where the installation has one, also under another name. */
export async function bootstrapAdministrator(store: Store, config: Config): Promise<string | undefined> {
  return store.transaction(async sql => {
    const userId = newId('user');
    // There is always one: the last administrator can neither be deleted nor leave the office. Two servers at once make one.
    const made = await sql`
      insert into users (id, username, email, is_admin)
      select ${userId}, ${username}, 'admin@localhost', true
      where not exists (select from users as known where known.is_admin)
      on conflict do nothing returning users.id`;
    if (made.length === 0) return undefined;
    const token = config.adminToken ?? newToken();
    await insertToken(sql, config, userId, token);
    await recordEvent(sql, {
      operation: 'users.create-first-administrator',
      actor,
      subject: { id: userId, username },
      result: { type: 'users', row: { id: userId, username, is_admin: true } },
      notes: {},
      requestId: newId('job'),
      remoteAddress: null,
    });
    return token;
  });
}

async function insertToken(sql: Sql, config: Config, userId: string, token: string): Promise<void> {
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
}
