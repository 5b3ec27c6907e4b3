/** Attributes that are objects, in forms: each of their members is a field of its own, `vcs-repo.branch`. */
import type { Values } from './saving.tsx';

/** `{branch: 'main'}` of `vcs-repo` → `{'vcs-repo.branch': 'main'}`. */
export const membersOf = (name: string, of: object | null | undefined): Values =>
  Object.fromEntries(Object.entries(of ?? {}).map(([member, value]) => [`${name}.${member}`, value]));

/** The other way: members of one object are together again. Those that are not named are left out. */
export function gathered(values: object): Values {
  const attributes: Values = {};
  for (const [key, value] of Object.entries(values)) {
    const [name = '', member] = key.split(/\.(.*)/s);
    attributes[name] = member === undefined ? value : { ...(attributes[name] as Values | undefined), [member]: value };
  }
  return attributes;
}
