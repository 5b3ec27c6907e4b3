/** What processes that a program of ours starts take over from its environment, and under whom they run. */

/** What engines need of the machine that they run on. Nothing else of an agent's environment reaches them. */
const names = /^(PATH|LANG|LC_\w+|TZ|SSL_CERT_(FILE|DIR)|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SYSTEMROOT)$/;

export function inheritedFrom(environment: Record<string, string | undefined>): Record<string, string> {
  const named = Object.entries(environment).filter(([name, value]) => names.test(name) && value !== undefined);
  return Object.fromEntries(named) as Record<string, string>;
}

/** `1000:1000`. Throws the problem. */
export function userAndGroup(text: string): { uid: number; gid: number } {
  const [, uid, gid] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  if (uid && gid && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  throw new Error(
    `must be the numbers of a user, not root, and a group, such as 1000:1000, not ${JSON.stringify(text)}.`,
  );
}
