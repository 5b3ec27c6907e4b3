/** What processes that a program of ours starts take over from its environment. */

/** What engines need of the machine that they run on. Nothing else of an agent's environment reaches them. */
const names =
  /^(PATH|LANG|LC_\w+|TZ|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|(HTTPS?|NO|ALL)_PROXY|(https?|no|all)_proxy|SYSTEMROOT)$/;

export function inheritedFrom(environment: Record<string, string | undefined>): Record<string, string> {
  const named = Object.entries(environment).filter(([name, value]) => names.test(name) && value !== undefined);
  return Object.fromEntries(named) as Record<string, string>;
}
