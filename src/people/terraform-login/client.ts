/** The one program that may ask for a token in the browser: the command line, by the ports that it listens on meanwhile. */
import { Type } from 'typebox';

export const loginClient = {
  client: 'terraform-cli',
  grant_types: ['authz_code'],
  ports: [10000, 10010],
} as const;

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the answer would go to this machine of the person's own, and to no other. */
export function isLoopbackAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, hash, username, password } = new URL(text);
  const [first, last] = loginClient.ports;
  const isPort = Number(port) >= first && Number(port) <= last;
  return protocol === 'http:' && loopback.has(hostname) && isPort && !hash && !username && !password;
}

/** SHA-256 in base64url. */
export const challengeSchema = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  'x-rule': 'must be the SHA-256 of the verifier in base64url, 43 characters',
});
