// The block that command lines read, and the https that they ask for, from the whole program.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDataDirectory, createDirectory } from '../../test/running/database.ts';
import { prepareDataDirectory } from '../../test/running/prepared.ts';
import { program } from '../../test/running/program.ts';

function loginConfig(environment: Record<string, string>, ...options: string[]) {
  const ran = spawnSync(process.execPath, [...program, 'login-config', ...options], { env: environment });
  return { status: ran.status, output: String(ran.stdout), errors: String(ran.stderr) };
}

test('login-config prints host services and credentials for the address and the token that are configured', () => {
  const directory = createDirectory();
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'admin-token'), 'terrane_token\n');
  const environment = { TERRANE_DATA_DIR: directory, PORT: '9001' };
  const { output } = loginConfig(environment);
  expect(output).toContain('host "127.0.0.1:9001" {');
  expect(output).toContain('"tfe.v2" = "http://127.0.0.1:9001/api/v2/"');
  expect(output).toContain('credentials "127.0.0.1:9001" {\n  token = "terrane_token"');
  const json = JSON.parse(loginConfig(environment, '--json', '--url', 'https://terrane.example').output);
  expect(json.credentials).toEqual({ 'terrane.example': { token: 'terrane_token' } });
  expect(json.host['terrane.example'].services['tfe.v2']).toBe('https://terrane.example/api/v2/');
});

test('login-config names the server that runs on the data directory, whatever PORT the other terminal knows', async () => {
  const directory = await prepareDataDirectory(createDataDirectory());
  const child = spawn(process.execPath, [...program, 'serve'], { env: { PORT: '0', TERRANE_DATA_DIR: directory } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  const findAddress = () => {
    const found = /Terrane answers at http:\/\/(127\.0\.0\.1:\d+)/.exec(errors)?.[1];
    if (found) return found;
    throw new Error(`The server has not answered: ${errors}`);
  };
  const address = await vi.waitFor(findAddress, { timeout: 60_000, interval: 50 });
  const host = ({ output }: { output: string }) => /^host "(.*)" \{/.exec(output)?.[1];
  const environment = { TERRANE_DATA_DIR: directory, PORT: '9001' };
  expect(host(loginConfig(environment))).toBe(address);
  expect(host(loginConfig({ ...environment, TERRANE_PUBLIC_URL: 'https://terrane.example' }))).toBe('terrane.example');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  expect(host(loginConfig(environment))).toBe('127.0.0.1:9001');
}, 120_000);

test('login-config says what is missing: a token, or an address', () => {
  const environment = { TERRANE_DATA_DIR: createDirectory() };
  expect(loginConfig(environment)).toMatchObject({ status: 1, output: '' });
  expect(loginConfig(environment).errors).toContain('--token-file');
  expect(loginConfig(environment, '--url', 'nonsense').errors).toContain('"nonsense" is not an http or https address');
});

test('with a certificate and its key the server speaks https', async () => {
  const directory = createDirectory();
  mkdirSync(directory, { recursive: true });
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...names], {
    stdio: 'ignore',
  });
  const environment = {
    PORT: '0',
    TERRANE_DATA_DIR: join(directory, 'data'),
    TERRANE_TLS_CERT_FILE: certificate,
    TERRANE_TLS_KEY_FILE: key,
  };
  const child = spawn(process.execPath, [...program, 'serve'], { env: environment });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', chunk => (errors += chunk));
  const findPort = () => {
    const found = /Terrane answers at https:\/\/127\.0\.0\.1:(\d+)/.exec(errors)?.[1];
    if (found) return found;
    throw new Error(`The server has not answered: ${errors}`);
  };
  const port = await vi.waitFor(findPort, { timeout: 60_000, interval: 50 });
  const [answer] = await once(
    get(`https://localhost:${port}/api/v2/ping`, { ca: readFileSync(certificate) }),
    'response',
  );
  expect(answer.statusCode).toBe(204);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});
