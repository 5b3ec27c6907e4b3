/** Addresses of repositories, made of what somebody typed: every part of a name is one segment of a path. */

/** `acme/net work` → `acme/net%20work`. A part that is escaped already is not escaped twice. */
export function pathOf(identifier: string): string {
  return identifier.split('/').map(segment).join('/');
}

/** The whole name as one segment, for forges that take it as an id. Dots that would climb are no name that anything has. */
export function segment(part: string): string {
  const name = unescaped(part);
  return /^\.{1,2}$/.test(name) ? '-' : encodeURIComponent(name);
}

export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** `https://host/base/` and `a/b` → `https://host/base/a/b`. */
export const below = (base: string, path: string): string => `${base.replace(/\/+$/, '')}/${path}`;

/** Git's own spelling of a repository's address. */
export const dotGit = (path: string): string => (path.endsWith('.git') ? path : `${path}.git`);

export const hostOf = (address: string): string => new URL(address).hostname;

/** `name:secret` → both; a token alone goes with the name that the forge wants beside one. */
export function credentials(token: string, nameOfTokens: string): { username: string; password: string } {
  const colon = token.indexOf(':');
  if (colon < 0) return { username: nameOfTokens, password: token };
  return { username: token.slice(0, colon), password: token.slice(colon + 1) };
}

export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
