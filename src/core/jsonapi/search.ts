/** Text that callers search by: `like` wildcards in it match literally. */

/** A pattern for `like` that matches `text` anywhere. */
export function containing(text: string): string {
  return `%${literal(text)}%`;
}

/** A pattern for `like` that matches `text` itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
