// `terrane doctor` as an operator runs it: on what is well, and on each thing that is not.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openAppOn, pepper, type TestApp } from '../../test/app.ts';
import { richOrganization } from '../../test/cast/rich-organization.ts';
import { createDatabase, createDirectory, reachableUrl } from '../../test/running/database.ts';
import { program } from '../../test/running/program.ts';
import { loadConfig } from '../core/config.ts';
import type { Diagnosis } from './doctor/diagnosis.ts';
import { surroundings } from './doctor/surroundings.ts';

const keys = { TERRANE_TOKEN_PEPPER: pepper, TERRANE_ENCRYPTION_KEY: 'the encryption key of this test' };
const closers: (() => unknown)[] = [];
let app: TestApp;
let url: string;

beforeAll(async () => {
  const database = await createDatabase();
  const reachable = await reachableUrl(database.connection);
  url = reachable.url;
  app = await openAppOn(database, { TERRANE_ENCRYPTION_KEY: keys.TERRANE_ENCRYPTION_KEY });
  closers.push(database.drop, reachable.close, app.close);
  await richOrganization(app);
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

async function doctor(environment: Record<string, string>) {
  const child = spawn(process.execPath, [...program, 'doctor', '--json'], { env: environment });
  let output = '';
  child.stdout.on('data', chunk => (output += chunk));
  const [status] = await once(child, 'close');
  return { status, diagnoses: JSON.parse(output).diagnoses as Diagnosis[], output };
}

const verdicts = (diagnoses: Diagnosis[]) =>
  Object.fromEntries(diagnoses.map(({ name, verdict }) => [name, verdict])) as Record<string, Diagnosis['verdict']>;

test('doctor: before the first start there is nothing wrong, and the exit code is 0', async () => {
  const { status, diagnoses } = await doctor({ TERRANE_DATA_DIR: join(createDirectory(), 'data') });
  expect(diagnoses.filter(({ verdict }) => verdict === 'problem')).toEqual([]);
  expect([status, verdicts(diagnoses)]).toMatchObject([0, { PostgreSQL: 'skipped', configuration: 'ok', disk: 'ok' }]);
});

test('doctor: of a database that servers use, what is well is said to be, and what would lose data is a problem', async () => {
  const { status, diagnoses } = await doctor({ ...keys, DATABASE_URL: url });
  expect(verdicts(diagnoses)).toMatchObject({
    PostgreSQL: 'ok',
    clock: 'ok',
    rights: 'ok',
    schema: 'ok',
    'encryption key': 'ok',
  });
  // The databases of tests are not kept: what their PostgreSQL is told to be careless about is said.
  const settings = ['fsync', 'synchronous_commit'];
  const careless = (
    await app.store.read<{ name: string }[]>`
      select pg_settings.name from pg_settings
      where pg_settings.name = any(${settings}) and pg_settings.setting = 'off'`
  ).map(({ name }) => name);
  expect(careless.length).toBeGreaterThan(0);
  const found = diagnoses.filter(({ verdict }) => verdict === 'problem').map(one => one.found);
  expect([status, found]).toEqual([1, expect.arrayContaining(careless.map(name => `${name} is off.`))]);
});

test('doctor: keys that are not those of what is sealed, and a pepper that knows no token, are seen', async () => {
  const other = { TERRANE_TOKEN_PEPPER: 'another pepper of tests', TERRANE_ENCRYPTION_KEY: 'another key of this test' };
  const { diagnoses, output } = await doctor({
    ...other,
    DATABASE_URL: url,
    TERRANE_ADMIN_TOKEN: 'a-token-of-somebody',
  });
  expect(verdicts(diagnoses)).toMatchObject({ 'encryption key': 'problem', 'token pepper': 'warning' });
  for (const secret of [...Object.values(other), 'a-token-of-somebody']) expect(output).not.toContain(secret);
});

test('doctor: a database that does not answer is told without its password', async () => {
  const { status, diagnoses, output } = await doctor({
    ...keys,
    DATABASE_URL: 'postgres://terrane:hush@127.0.0.1:9/none',
  });
  expect([status, verdicts(diagnoses)['PostgreSQL']]).toEqual([1, 'problem']);
  expect(output).not.toContain('hush');
});

test('doctor: all that is wrong with the configuration is told at once', async () => {
  const { status, diagnoses } = await doctor({ PORT: 'many', TERRANE_LOG_LEVEL: 'loud' });
  expect([status, diagnoses.map(({ name, verdict }) => [name, verdict])]).toEqual([
    1,
    [
      ['configuration', 'problem'],
      ['configuration', 'problem'],
    ],
  ]);
});

/** What is said of the surroundings with this configuration. */
async function said(environment: Record<string, string>, now?: Date): Promise<Diagnosis[]> {
  return surroundings(loadConfig({ TERRANE_DATA_DIR: join(createDirectory(), 'none'), ...environment }).config, now);
}

const of = (diagnoses: Diagnosis[], name: string) => diagnoses.find(one => one.name === name);

/** A key and its certificate of ninety days, in files. */
function ninetyDays(name: string): { key: string; certificate: string } {
  const folder = createDirectory();
  mkdirSync(folder, { recursive: true });
  const [key, certificate] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate, '-days', '90'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], { stdio: 'ignore' });
  return { key, certificate };
}

/** What is said of a certificate so many days from now, by its first words. */
async function told(name: string, environment: Record<string, string>, days = 0): Promise<string[]> {
  const { verdict, found } = of(await said(environment, new Date(Date.now() + days * 86_400_000)), name)!;
  return [verdict, found.split(' ').slice(0, 4).join(' ')];
}

test('doctor: a certificate that has ended, is for another host or has another key is a problem', async () => {
  const pair = (name: string) => {
    const { key, certificate } = ninetyDays(name);
    return { TERRANE_TLS_CERT_FILE: certificate, TERRANE_TLS_KEY_FILE: key };
  };
  const [one, two] = [pair('one'), pair('two')];
  const verdict = (environment: Record<string, string>, days = 0) => told('TLS', environment, days);
  expect(await verdict(one)).toEqual(['ok', 'The certificate is good']);
  expect(await verdict(one, 70)).toEqual(['warning', 'The certificate ends at']);
  expect(await verdict(one, 91)).toEqual(['problem', 'The certificate ended at']);
  expect(await verdict({ ...one, TERRANE_PUBLIC_URL: 'https://terrane.invalid' })).toEqual([
    'problem',
    'The certificate is not',
  ]);
  expect(await verdict({ ...one, TERRANE_TLS_KEY_FILE: two.TERRANE_TLS_KEY_FILE })).toEqual([
    'problem',
    'The key is not',
  ]);
});

test('doctor: the certificate by which requests of SAML are signed is told before it ends', async () => {
  const { key, certificate } = ninetyDays('saml');
  const given = { TERRANE_SAML_CERT_FILE: certificate, TERRANE_SAML_KEY_FILE: key };
  expect(await told('SAML', {})).toEqual(['skipped', 'Requests to providers of']);
  expect(await told('SAML', given)).toEqual(['ok', 'The certificate is good']);
  expect(await told('SAML', given, 59)).toEqual(['ok', 'The certificate is good']);
  expect(await told('SAML', given, 61)).toEqual(['warning', 'The certificate ends at']);
  expect(await told('SAML', given, 91)).toEqual(['problem', 'The certificate ended at']);
  expect(await told('SAML', given, -1)).toEqual(['problem', 'The certificate begins at']);
});

test('doctor: the public address answers as Terrane does, or something is said', async () => {
  const server = createServer((request, response) =>
    response.end(request.url === '/.well-known/terraform.json' ? '{"tfe.v2":"/api/v2/"}' : ''),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(of(await said({ TERRANE_PUBLIC_URL: address }), 'public address')).toMatchObject({ verdict: 'ok' });
  const elsewhere = await said({ TERRANE_PUBLIC_URL: `${address}/base` });
  expect(of(elsewhere, 'public address')).toMatchObject({ verdict: 'warning' });
  expect(of(await said({ HOST: '0.0.0.0' }), 'public address')).toMatchObject({ verdict: 'problem' });
});

test('doctor: a proxy that is not trusted, and trust in everybody, are seen', async () => {
  const behind = { TERRANE_PUBLIC_URL: 'https://127.0.0.1:9' };
  expect(of(await said(behind), 'proxy')).toMatchObject({ verdict: 'warning' });
  expect(of(await said({ ...behind, TERRANE_TRUST_PROXY: '10.0.0.0/8' }), 'proxy')).toMatchObject({ verdict: 'ok' });
  expect(of(await said({ TERRANE_TRUST_PROXY: '0.0.0.0/0' }), 'proxy')).toMatchObject({ verdict: 'problem' });
});

test('doctor: secrets that others may read are a problem, and none where only their owner does', async () => {
  const folder = createDirectory();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'token-pepper'), 'a pepper');
  chmodSync(join(folder, 'token-pepper'), 0o644);
  expect(of(await said({ TERRANE_DATA_DIR: folder }), 'secrets')).toMatchObject({ verdict: 'problem' });
  chmodSync(join(folder, 'token-pepper'), 0o600);
  expect(of(await said({ TERRANE_DATA_DIR: folder }), 'secrets')).toMatchObject({ verdict: 'ok' });
});

test('doctor: that no repository can be fetched is a warning, unless nobody is to fetch any here', async () => {
  const data = { TERRANE_DATA_DIR: join(createDirectory(), 'data') };
  const git = async (given: Record<string, string>) =>
    (await doctor({ ...data, ...given })).diagnoses.find(({ name }) => name === 'git');
  expect(await git({ PATH: '' })).toMatchObject({
    verdict: 'warning',
    found: expect.stringContaining('no git on the'),
  });
  const directory = createDirectory();
  writeFileSync(join(directory, 'git'), '#!/bin/sh\necho git version 2.36.6', { mode: 0o755 });
  expect(await git({ PATH: directory })).toMatchObject({
    found: expect.stringContaining('version 2.36.6, and 2.37.0'),
  });
  writeFileSync(join(directory, 'git'), '#!/bin/sh\necho "git version 2.40.1 (Apple Git-130)"', { mode: 0o755 });
  expect(await git({ PATH: directory })).toMatchObject({ verdict: 'ok' });
  expect(await git({ PATH: '', TERRANE_BUILTIN_AGENT: 'off' })).toMatchObject({ verdict: 'skipped' });
});

test('doctor: that runs are not kept from the machine is a warning, and a problem where the operator wants them to be', async () => {
  const bare = { TERRANE_DATA_DIR: join(createDirectory(), 'data'), PATH: '' };
  const isolation = async (given: Record<string, string>) =>
    (await doctor({ ...bare, ...given })).diagnoses.find(({ name }) => name === 'isolation');
  expect(await isolation({})).toMatchObject({ verdict: 'warning', found: expect.stringContaining('is not installed') });
  expect(await isolation({ TERRANE_AGENT_ISOLATION: 'bubblewrap' })).toMatchObject({ verdict: 'problem' });
  expect(await isolation({ TERRANE_BUILTIN_AGENT: 'off' })).toMatchObject({ verdict: 'skipped' });
});
