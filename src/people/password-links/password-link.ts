/** §1 One-time link: whoever has it sets the password of an account, once, within a day. Only a hash of it is kept. */
import { Type } from 'typebox';
import type { Config } from '../../core/config.ts';
import { column, computed, type Row, text, timestamp } from '../../core/jsonapi/fields.ts';
import { resource } from '../../core/jsonapi/resource.ts';
import { newId, randomBase62 } from '../../core/store/ids.ts';
import { row, type Sql } from '../../core/store/store.ts';
import { tokenHash } from '../tokens/secret.ts';

const lifetime_ms = 86_400_000;

export const passwordLinks = resource({
  type: 'password-links',
  attributes: {
    'expires-at': column(timestamp),
    /** Only in the answer that made it. */
    url: computed(text, (row: IssuedLink, { publicUrl }) => linkAddress(publicUrl, row.username, row.secret)),
  },
  relationships: {},
});

export const linkSecret = Type.String({ minLength: 1, maxLength: 128 });

export interface IssuedLink extends Row {
  expires_at: string;
  username: string;
  secret: string;
}

/** Makes a link for the account. Those that it has already stay good. */
export async function issueLink(
  sql: Sql,
  config: Config,
  { id: userId, username }: { id: string; username: string },
): Promise<IssuedLink> {
  const id = newId('plink');
  const secret = randomBase62(43);
  const expiresAt = new Date(Date.now() + lifetime_ms).toISOString();
  await sql`
    insert into password_links ${row(sql, {
      id,
      user_id: userId,
      hash: linkHash(config, secret),
      expires_at: expiresAt,
    })}`;
  return { id, expires_at: expiresAt, username, secret };
}

export function linkHash({ tokenPepper = '' }: Config, secret: string): Buffer {
  return tokenHash(tokenPepper, `password link ${secret}`);
}

/** The page of the web interface that takes it. What stands behind # is sent to no server and written into no log. */
export function linkAddress(publicUrl: string, username: string, secret: string): string {
  return `${publicUrl}/app/~/password#${new URLSearchParams({ user: username, link: secret })}`;
}

/** Deletes those that are too old. */
export async function sweepLinks(sql: Sql): Promise<void> {
  await sql`delete from password_links where password_links.expires_at < now()`;
}
