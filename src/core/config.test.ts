import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { newKeys } from '../../test/running/saml-provider.ts';
import { ConfigError, type Environment, loadConfig } from './config.ts';

function problemsOf(environment: Environment): string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

test('an empty environment gives the defaults, frozen', () => {
  const { config, warnings } = loadConfig({});
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 8080,
    dataDirectory: './terrane-data',
    maxStateMib: 256,
    sessionIdleMinutes: 480,
    sessionDays: 7,
    proxyNames: 'looked-up',
    edition: 'self-hosted',
    release: '202611-1',
    profile: 'documented',
    logLevel: 'info',
    accessLog: 'info',
    serviceName: 'terrane',
    metricsHost: '127.0.0.1',
    drainSeconds: 5,
    rateLimitPerSecond: 0,
    refusalMs: 5,
    connections: 10,
    workers: 1,
    keptWorkspaces: 1000,
    builtinAgent: 'auto',
    agentIsolation: 'auto',
    runMemory: 4096,
    runDisk: 10_240,
    enginesDownload: 'off',
    keptMib: 64,
  });
  expect(Object.isFrozen(config)).toBe(true);
  expect(warnings).toEqual([]);
});

test('every variable reaches its field', () => {
  const { config, warnings } = loadConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    DATABASE_URL: 'postgres://terrane@db/terrane',
    TERRANE_DATA_DIR: '/srv/terrane',
    TERRANE_PUBLIC_URL: 'https://terrane.example.com/base',
    TERRANE_ADMIN_TOKEN: 'sixteen-characters',
    TERRANE_TOKEN_PEPPER: 'another sixteen characters',
    TERRANE_ENCRYPTION_KEY: 'a key of sixteen characters',
    TERRANE_OLD_ENCRYPTION_KEYS: 'the first of the old keys, the second of the old keys',
    TERRANE_MAX_STATE_MIB: '64',
    TERRANE_BLOBS: 's3://contents/of/terrane?endpoint=https://s3.example.com&removal-days=30',
    TERRANE_BLOBS_KEY: 'an-id:a-secret',
    TERRANE_SESSION_IDLE_MINUTES: '15',
    TERRANE_SESSION_DAYS: '1',
    TERRANE_TOKEN_TTL_DAYS: '0',
    TERRANE_EDITION: 'hosted',
    TERRANE_RELEASE: '202501-2',
    TERRANE_PROFILE: 'vendor',
    TERRANE_INVITATIONS: 'accepted',
    TERRANE_SMTP_URL: 'smtps://terrane:secret@mail.example.com',
    TERRANE_MAIL_FROM: 'Terrane <terrane@example.com>',
    TERRANE_ALLOW_PRIVATE_ADDRESSES: '10.0.0.0/8, fd00::1',
    HTTPS_PROXY: 'http://proxy.example.com:3128',
    NO_PROXY: '.Example.com, 192.0.2.1',
    TERRANE_PROXY_NAMES: 'passed-on',
    TERRANE_LOG_LEVEL: 'debug',
    TERRANE_ACCESS_LOG: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20key, other=',
    OTEL_SERVICE_NAME: 'our terrane',
    TERRANE_METRICS_PORT: '9090',
    TERRANE_METRICS_HOST: '10.0.0.1',
    TERRANE_METRICS_TOKEN: 'the-token-of-who-watches',
    TERRANE_DRAIN_SECONDS: '30',
    TERRANE_RATE_LIMIT: '30',
    TERRANE_REFUSAL_MS: '20',
    TERRANE_CONNECTIONS: '4',
    TERRANE_WORKERS: '3',
    TERRANE_KEPT_WORKSPACES: '5000',
    TERRANE_BUILTIN_AGENT: 'on',
    TERRANE_BUILTIN_AGENT_USER: '1000:100',
    TERRANE_AGENT_TOKEN: 'a token of a pool',
    TERRANE_AGENT_DIR: '/var/agent',
    TERRANE_AGENT_HOOKS_DIR: '/etc/hooks',
    TERRANE_AGENT_ISOLATION: 'bubblewrap',
    TERRANE_AGENT_READABLE: '/srv/mirror:/opt/programs',
    TERRANE_RUN_MEMORY: '512',
    TERRANE_RUN_DISK: '0',
    TERRANE_AGENT_ENGINE_SETTINGS: 'provider_installation {}',
    TERRANE_ENGINES_DIR: '/opt/engines',
    TERRANE_ENGINES_DOWNLOAD: 'tofu',
    TERRANE_ENGINES_MIRROR: 'https://mirror.example/engines',
    TERRANE_ENGINES_KEY: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    TERRANE_KEPT_MIB: '16',
  });
  expect(warnings).toEqual([]);
  expect(config).toEqual({
    host: '0.0.0.0',
    port: 0,
    databaseUrl: 'postgres://terrane@db/terrane',
    dataDirectory: '/srv/terrane',
    publicUrl: 'https://terrane.example.com/base',
    adminToken: 'sixteen-characters',
    tokenPepper: 'another sixteen characters',
    encryptionKey: 'a key of sixteen characters',
    oldEncryptionKeys: ['the first of the old keys', 'the second of the old keys'],
    maxStateMib: 64,
    blobs: {
      name: 'contents',
      prefix: 'of/terrane/',
      region: 'us-east-1',
      endpoint: 'https://s3.example.com',
      isInPath: true,
      isReadOnly: false,
      removal_days: 30,
    },
    blobsKey: { id: 'an-id', secret: 'a-secret' },
    sessionIdleMinutes: 15,
    sessionDays: 1,
    tokenTtlDays: 0,
    edition: 'hosted',
    release: '202501-2',
    profile: 'vendor',
    invitations: 'accepted',
    smtpUrl: 'smtps://terrane:secret@mail.example.com',
    mailFrom: 'Terrane <terrane@example.com>',
    allowPrivateAddresses: ['10.0.0.0/8', 'fd00::1'],
    httpsProxy: 'http://proxy.example.com:3128',
    noProxy: ['.example.com', '192.0.2.1'],
    proxyNames: 'passed-on',
    logLevel: 'debug',
    accessLog: 'silent',
    traceEndpoint: 'http://127.0.0.1:4318',
    traceHeaders: { 'x-key': 'a key', other: '' },
    serviceName: 'our terrane',
    metricsPort: 9090,
    metricsHost: '10.0.0.1',
    metricsToken: 'the-token-of-who-watches',
    drainSeconds: 30,
    rateLimitPerSecond: 30,
    refusalMs: 20,
    connections: 4,
    workers: 3,
    keptWorkspaces: 5000,
    builtinAgent: 'on',
    builtinAgentUser: { uid: 1000, gid: 100 },
    agentToken: 'a token of a pool',
    agentDirectory: '/var/agent',
    agentHooksDirectory: '/etc/hooks',
    agentIsolation: 'bubblewrap',
    agentReadable: ['/srv/mirror', '/opt/programs'],
    runMemory: 512,
    runDisk: 0,
    agentEngineSettings: 'provider_installation {}',
    enginesDirectory: '/opt/engines',
    enginesDownload: 'tofu',
    enginesMirror: 'https://mirror.example/engines',
    enginesKey: '-----BEGIN PGP PUBLIC KEY BLOCK-----',
    keptMib: 16,
  });
});

test('an object store is named by an address, without a key in it, and with parameters that there are', () => {
  const blobs = (address: string) => loadConfig({ TERRANE_BLOBS: address }).config.blobs;
  expect(blobs('s3://contents')).toMatchObject({ prefix: '', endpoint: undefined, isInPath: false, removal_days: 1 });
  expect(blobs('s3://contents?new=postgresql')?.isReadOnly).toBe(true);
  expect(blobs('s3://contents?endpoint=http://127.0.0.1:9000&style=host')?.isInPath).toBe(false);
  for (const wrong of [
    'https://contents.s3.amazonaws.com',
    's3://id:hunter2@contents',
    's3://contents?endpoint=s3.example.com',
    's3://contents?endpoint=https://id:hunter2@s3.example.com',
    's3://contents?removal-days=0',
    's3://contents?constructor=hunter2',
  ]) {
    const problems = problemsOf({ TERRANE_BLOBS: wrong });
    expect([wrong, problems.length]).toEqual([wrong, 1]);
    expect(problems[0]).not.toContain('hunter2');
  }
  expect(problemsOf({ TERRANE_BLOBS_KEY: 'hunter2' })).toEqual([expect.not.stringContaining('hunter2')]);
});

test('all problems are listed at once, and no secret is quoted', () => {
  const secret = 'hunter2 é';
  const problems = problemsOf({
    PORT: '65536',
    DATABASE_URL: `mysql://terrane:${secret}@db`,
    TERRANE_PUBLIC_URL: 'https://terrane.example.com/',
    TERRANE_ADMIN_TOKEN: secret,
    TERRANE_TOKEN_PEPPER: secret,
    TERRANE_ENCRYPTION_KEY: secret,
    TERRANE_OLD_ENCRYPTION_KEYS: `${secret},${secret}`,
    TERRANE_MAX_STATE_MIB: '0',
    TERRANE_TOKEN_TTL_DAYS: '-1',
    TERRANE_EDITION: 'Hosted',
    TERRANE_RELEASE: '202613-1',
    TERRANE_PROFILE: 'x',
    TERRANE_LOG_LEVEL: 'loud',
    TERRANE_RATE_LIMIT: '1.5',
    TERRANE_CONNECTIONS: '0',
  });
  expect(problems.map(problem => problem.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'TERRANE_PUBLIC_URL',
    'TERRANE_ADMIN_TOKEN',
    'TERRANE_TOKEN_PEPPER',
    'TERRANE_ENCRYPTION_KEY',
    'TERRANE_OLD_ENCRYPTION_KEYS',
    'TERRANE_MAX_STATE_MIB',
    'TERRANE_TOKEN_TTL_DAYS',
    'TERRANE_EDITION',
    'TERRANE_RELEASE',
    'TERRANE_PROFILE',
    'TERRANE_LOG_LEVEL',
    'TERRANE_RATE_LIMIT',
    'TERRANE_CONNECTIONS',
  ]);
  expect(problems.join()).not.toContain(secret);
});

test('a database of the operator needs a pepper and a key', () => {
  expect(problemsOf({ DATABASE_URL: 'postgres://db/terrane' })).toEqual([
    expect.stringMatching(/^TERRANE_TOKEN_PEPPER must be set when DATABASE_URL is/),
    expect.stringMatching(/^TERRANE_ENCRYPTION_KEY must be set when DATABASE_URL is/),
  ]);
});

test('a secret may come from a file, once, and the file must be readable', () => {
  const directory = createDirectory();
  try {
    const file = join(directory, 'token');
    writeFileSync(file, 'sixteen-characters\n');
    expect(loadConfig({ TERRANE_ADMIN_TOKEN_FILE: file }).config.adminToken).toBe('sixteen-characters');
    expect(problemsOf({ TERRANE_ADMIN_TOKEN_FILE: file, TERRANE_ADMIN_TOKEN: 'sixteen-characters' })).toEqual([
      'TERRANE_ADMIN_TOKEN and TERRANE_ADMIN_TOKEN_FILE are both set: set one of them.',
    ]);
    expect(problemsOf({ TERRANE_ADMIN_TOKEN_FILE: join(directory, 'absent') })).toEqual([
      expect.stringMatching(/^TERRANE_ADMIN_TOKEN cannot be read from the file .* \(ENOENT\)\.$/),
    ]);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('an unknown TERRANE_ variable warns, and so does a file for what is no secret', () => {
  const { warnings } = loadConfig({ TERRANE_PROFIL: 'vendor', TERRANE_EDITION_FILE: '/x', PATH: '/bin' });
  expect(warnings).toEqual([
    'TERRANE_EDITION_FILE is not a variable that Terrane knows; it is ignored.',
    'TERRANE_PROFIL is not a variable that Terrane knows; it is ignored.',
  ]);
});

test('a certificate without its key, another key than its own, and what is not PEM, are problems', () => {
  expect(problemsOf({ TERRANE_TLS_CERT: 'nonsense' })).toEqual([
    'TERRANE_TLS_CERT must be in PEM form: it has no line that begins with -----BEGIN.',
    'TERRANE_TLS_CERT and TERRANE_TLS_KEY must be set together, or not at all.',
  ]);
  const [one, other] = [newKeys(), newKeys()];
  const pair = { TERRANE_SAML_CERT: one.certificate, TERRANE_SAML_KEY: one.key };
  expect(problemsOf(pair)).toEqual([]);
  expect(problemsOf({ ...pair, TERRANE_SAML_KEY: '' })).toEqual([
    'TERRANE_SAML_CERT and TERRANE_SAML_KEY must be set together, or not at all.',
  ]);
  for (const key of [other.key, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })]) {
    expect(problemsOf({ ...pair, TERRANE_SAML_KEY: String(key) })).toEqual([
      'TERRANE_SAML_KEY must be an RSA key, and TERRANE_SAML_CERT its certificate.',
    ]);
  }
});
