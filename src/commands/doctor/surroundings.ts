/** What can be said without a database: disk, TLS, SAML, the public address, the proxy, engines. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { findEngines } from '../../../agent/engines.ts';
import { findGit } from '../../../agent/git.ts';
import { findIsolation } from '../../../agent/isolation.ts';
import { type Config, inheritedEnvironment } from '../../core/config.ts';
import { type Diagnosis, ok, problem, skipped, warning } from './diagnosis.ts';

const leastFree_bytes = 1024 ** 3;
const day_ms = 86_400_000;
const answer_ms = 5000;

export async function surroundings(config: Config, now = new Date()): Promise<Diagnosis[]> {
  return [
    await ofDisk(config),
    ...ofSecrets(config),
    ...ofTls(config, now),
    ofSaml(config, now),
    await ofAddress(config),
    ofProxy(config),
    await ofEngines(config),
    await ofIsolation(config),
    await ofGit(config),
  ];
}

async function ofDisk({ dataDirectory, databaseUrl }: Config): Promise<Diagnosis> {
  if (databaseUrl) return skipped('disk', 'The database is elsewhere: look at the disk there.');
  if (!existsSync(dataDirectory)) return ok('disk', `${dataDirectory} is made by the first start.`);
  const { bavail, blocks, bsize } = await statfs(dataDirectory);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const found = `${(free / 1024 ** 3).toFixed(1)} GiB of ${(total / 1024 ** 3).toFixed(1)} are free at ${dataDirectory}.`;
  if (free < leastFree_bytes) return problem('disk', found, 'Make room: without it writes are refused.');
  return free < total / 10 ? warning('disk', found, 'Make room before it is full.') : ok('disk', found);
}

/** Of the embedded PostgreSQL, which keeps them in files. */
function ofSecrets({ dataDirectory, databaseUrl }: Config): Diagnosis[] {
  if (databaseUrl) return [];
  const files = ['token-pepper', 'encryption-key', 'admin-token'].map(name => join(dataDirectory, name));
  const open = files.filter(path => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length === 0) return [ok('secrets', 'Nobody else reads the files with secrets in the data directory.')];
  return [problem('secrets', `Others may read ${open.join(' and ')}.`, `chmod 600 ${open.join(' ')}`)];
}

function ofTls({ tlsCertificate, tlsKey, publicUrl }: Config, now: Date): Diagnosis[] {
  if (!tlsCertificate || !tlsKey)
    return [skipped('TLS', 'The server speaks http; what stands in front of it may speak https.')];
  try {
    const certificate = new X509Certificate(tlsCertificate);
    const host = publicUrl && new URL(publicUrl).hostname;
    if (!certificate.checkPrivateKey(createPrivateKey(tlsKey)))
      return [
        problem(
          'TLS',
          'The key is not the one of the certificate.',
          'Set TERRANE_TLS_CERT and TERRANE_TLS_KEY to a pair.',
        ),
      ];
    const time = ofTime('TLS', certificate, now, 'Renew it and restart the server.');
    if (time.verdict === 'problem') return [time];
    if (host && !(isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)))
      return [
        problem(
          'TLS',
          `The certificate is not for ${host}.`,
          'Clients refuse it: use one that names the host of TERRANE_PUBLIC_URL.',
        ),
      ];
    return [time];
  } catch (fault) {
    return [
      problem('TLS', `Certificate or key cannot be read: ${(fault as Error).message}.`, 'Give both in PEM form.'),
    ];
  }
}

/** The one by which this site signs: Config knows already that it belongs to its key. */
function ofSaml({ samlCertificate }: Config, now: Date): Diagnosis {
  if (!samlCertificate) return skipped('SAML', 'Requests to providers of SAML are not signed.');
  const advice =
    'Make another, restart the server, and give its metadata to the providers: some refuse what has ended.';
  return ofTime('SAML', new X509Certificate(samlCertificate), now, advice);
}

function ofTime(name: string, { validFrom, validTo }: X509Certificate, now: Date, renewal: string): Diagnosis {
  const left_ms = new Date(validTo).getTime() - now.getTime();
  if (new Date(validFrom) > now) return problem(name, `The certificate begins at ${validFrom}.`, 'Look at the clock.');
  if (left_ms < 0) return problem(name, `The certificate ended at ${validTo}.`, renewal);
  if (left_ms < 30 * day_ms) return warning(name, `The certificate ends at ${validTo}.`, renewal);
  return ok(name, `The certificate is good until ${validTo}.`);
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host);

async function ofAddress({ publicUrl, host }: Config): Promise<Diagnosis> {
  const name = 'public address';
  if (!publicUrl) {
    if (isLoopback(host)) return ok(name, 'Only this machine reaches the server.');
    return problem(
      name,
      `The server listens on ${host} and TERRANE_PUBLIC_URL is not set.`,
      'Set it: links and uploads go to that address.',
    );
  }
  try {
    const answer = await fetch(`${publicUrl}/.well-known/terraform.json`, { signal: AbortSignal.timeout(answer_ms) });
    const services = (await answer.json()) as Record<string, unknown>;
    if (!answer.ok || !services['tfe.v2']) throw new Error(`it answers ${answer.status}, and not as Terrane does`);
    if (publicUrl.startsWith('http:') && !isLoopback(new URL(publicUrl).hostname))
      return warning(name, `${publicUrl} answers, by http.`, 'Tokens travel in the open: put TLS in front.');
    return ok(name, `${publicUrl} answers.`);
  } catch (fault) {
    const { message, cause } = fault as Error;
    const why = cause instanceof Error ? cause.message : message;
    return warning(
      name,
      `${publicUrl} does not answer from here: ${why}.`,
      'Where a server runs, look at its name, its proxy and its certificate.',
    );
  }
}

function ofProxy({ publicUrl, tlsKey, trustProxy }: Config): Diagnosis {
  const all = trustProxy?.filter(network => /\/0$/.test(network)) ?? [];
  if (all.length > 0)
    return problem(
      'proxy',
      `TERRANE_TRUST_PROXY trusts everybody (${all.join(', ')}).`,
      'Name the proxies: anybody can say where a request comes from.',
    );
  const isBehind = publicUrl?.startsWith('https:') && !tlsKey;
  if (isBehind && !trustProxy)
    return warning(
      'proxy',
      'Something in front speaks https, and TERRANE_TRUST_PROXY is not set.',
      'Set it to the address of the proxy: else everybody has one address, for limits and in the audit.',
    );
  return ok('proxy', trustProxy ? `Trusted: ${trustProxy.join(', ')}.` : 'None is expected.');
}

async function ofEngines({ enginesDirectory, builtinAgent }: Config): Promise<Diagnosis> {
  const found = await findEngines(
    inheritedEnvironment()['PATH'] ?? '',
    enginesDirectory === undefined ? [] : [enginesDirectory],
  );
  if (found.length > 0) return ok('engines', found.map(({ name, version }) => `${name} ${version}`).join(', '));
  if (builtinAgent === 'on')
    return problem(
      'engines',
      'There is no terraform and no tofu, and TERRANE_BUILTIN_AGENT is on.',
      'Install one, or set TERRANE_ENGINES_DIR.',
    );
  return skipped(
    'engines',
    'There is no terraform and no tofu here: runs are executed by agents elsewhere, or not at all.',
  );
}

/** Of the runs that an agent executes on this machine, be it the server's own. */
async function ofIsolation({ agentIsolation, builtinAgent, databaseUrl }: Config): Promise<Diagnosis> {
  const name = 'isolation';
  const hasNone = builtinAgent === 'off' || (builtinAgent === 'auto' && databaseUrl !== undefined);
  if (hasNone && agentIsolation === 'auto') return skipped(name, 'This server executes no runs itself.');
  if (agentIsolation === 'off')
    return warning(
      name,
      'TERRANE_AGENT_ISOLATION is off: runs read whatever the user of the agent may read.',
      'Take it out, or give agents a machine of their own.',
    );
  const { bubblewrap, reason } = await findIsolation(inheritedEnvironment()['PATH'] ?? '');
  if (bubblewrap) return ok(name, `${bubblewrap} keeps runs from the files and processes of this machine.`);
  const advice = 'Install it, or let the kernel make namespaces for users: docs/security-of-runs.md says how.';
  const found = `Runs are not isolated: ${reason}.`;
  return agentIsolation === 'bubblewrap' ? problem(name, found, advice) : warning(name, found, advice);
}

/** Of what such an agent fetches. */
async function ofGit({ builtinAgent, databaseUrl }: Config): Promise<Diagnosis> {
  const name = 'git';
  if (builtinAgent === 'off' || (builtinAgent === 'auto' && databaseUrl !== undefined))
    return skipped(name, 'This server fetches no repositories itself.');
  const { git, reason } = await findGit(inheritedEnvironment()['PATH'] ?? '');
  if (git) return ok(name, `${git.path} of version ${git.version} fetches configurations from repositories.`);
  return warning(
    name,
    `No configuration is fetched from a repository here: ${reason}.`,
    'Install git 2.37 or newer, if workspaces are to be linked to repositories.',
  );
}
