/** Requests to the APIs of forges, and what commits are told. */
import { basic } from './addresses.ts';
import type { CommitStatus, ForgeRequest } from './forge.ts';

export function asks(url: string, authorization: string): ForgeRequest {
  return { method: 'GET', url, headers: headersOf(authorization) };
}

export function tells(url: string, authorization: string, sent: unknown): ForgeRequest {
  const headers = { ...headersOf(authorization), 'content-type': 'application/json' };
  return { method: 'POST', url, headers, body: JSON.stringify(sent) };
}

const headersOf = (authorization: string) => ({
  accept: 'application/json',
  authorization,
  // One forge refuses whoever does not say who they are.
  'user-agent': 'Terrane',
});

export const bearer = (token: string): string => `Bearer ${token}`;

/** A token alone is a bearer's; one that is given as `name:secret` is a password. */
export function bearerOrBasic(token: string): string {
  const colon = token.indexOf(':');
  return colon < 0 ? bearer(token) : basic(token.slice(0, colon), token.slice(colon + 1));
}

/** The shortest of what the forges keep of a description. */
export const described = ({ description }: CommitStatus): string => description.slice(0, 140).toWellFormed();
