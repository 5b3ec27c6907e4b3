// terraform and tofu, unmodified, with a server that speaks https itself and executes their runs.
import { expect, test } from 'vitest';
import { selfSigned } from '../../test/running/certificate.ts';
import { apply, describeExecuting, freePort } from './executing.ts';

/** Its certificate has a name, as most have, and not the address that it listens on. */
async function secure(): Promise<Record<string, string>> {
  const { key, certificate } = selfSigned('DNS:localhost');
  const port = await freePort();
  return {
    PORT: String(port),
    TERRANE_PUBLIC_URL: `https://localhost:${port}`,
    TERRANE_TLS_CERT_FILE: certificate,
    TERRANE_TLS_KEY_FILE: key,
    SSL_CERT_FILE: certificate,
  };
}

describeExecuting(({ directory, runsOf }) => {
  test('§2.2 the server asks itself by the name in its certificate, and trusts whom it is told to', async () => {
    const { succeed } = await directory('secure');
    expect(await succeed(...apply)).toContain('1 added, 0 changed, 0 destroyed');
    expect((await runsOf('secure'))[0].attributes.status).toBe('applied');
  });
}, secure);
