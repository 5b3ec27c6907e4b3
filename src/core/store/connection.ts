/** Where a database is, in the driver's words. */
import type pg from 'pg';

/** Where PostgreSQL listens: an operator's URL, or the private socket of the embedded server. */
export type Connection = { url: string } | { socketDirectory: string; port: number; user: string; database: string };

/** For a driver of its own: whoever copies speaks what a session does not. */
export function addressOf(connection: Connection): pg.ClientConfig {
  if ('url' in connection) return { connectionString: withKnownMeaning(connection.url) };
  const { socketDirectory, port, user, database } = connection;
  return { host: socketDirectory, port, user, database };
}

/** `sslmode` as PostgreSQL's own programs mean it; the driver by itself would read `require` as `verify-full`. */
function withKnownMeaning(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url;
  return `${url}&uselibpqcompat=true`;
}
