/** A certificate that nobody else has signed, in files. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createDirectory } from './database.ts';

/** The paths of both files. `names` are those by which clients who trust the certificate reach its server. */
export function selfSigned(names = 'DNS:localhost,IP:127.0.0.1'): { key: string; certificate: string } {
  const directory = createDirectory();
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  const files = ['-keyout', key, '-out', certificate, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], { stdio: 'ignore' });
  return { key, certificate };
}
