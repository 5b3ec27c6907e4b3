/** Agents at work on the runs of a test: the real ones, in this process, with engines that are shell scripts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { create } from 'tar';
import { expect } from 'vitest';
import { type Agent, type AgentOptions, startAgent } from '../../agent/agent.ts';
import type { DownloadOptions } from '../../agent/download.ts';
import type { InstalledEngine } from '../../agent/engines.ts';
import { without } from '../../agent/isolation.ts';
import { enginesOf } from '../../agent/obtain.ts';
import { serverAt } from '../../agent/server.ts';
import { ownTicket } from '../../src/runs/door/sign-in.ts';
import type { Document, TestApp } from '../app.ts';
import { bodyOf, type TestOrganization } from '../builders/records.ts';
import { workspace } from '../builders/workspace.ts';
import { createDirectory } from './database.ts';

/** What the engine does in each command, in the words of a shell; beside it, it answers as engines do. */
export interface Script {
  init?: string;
  plan?: string;
  apply?: string;
}

export const scriptedVersion = '1.9.0';

export function scriptedEngine(script: Script, directory = createDirectory()): InstalledEngine {
  const path = join(directory, 'terraform');
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, scriptedText(script), { mode: 0o755 });
  return { name: 'terraform', version: scriptedVersion, path };
}

export const scriptedText = ({ init = '', plan = '', apply = '' }: Script) => `#!/bin/sh
case "$1" in
version) echo '{"terraform_version":"${scriptedVersion}"}' ;;
init) ${init || ':'}
;;
plan)
for parameter in "$@"; do case "$parameter" in -out=*) out="\${parameter#-out=}" ;; esac; done
${plan || ':'}
echo planned > "$out"
exit 2 ;;
show) echo '{"format_version":"1.2","resource_changes":[]}' ;;
providers) echo '{"format_version":"1.0","provider_schemas":{}}' ;;
apply) ${apply || ':'}
;;
esac
`;

interface Given extends Partial<Omit<AgentOptions, 'engines'>> {
  engines: readonly InstalledEngine[];
  download?: DownloadOptions;
}

/** An agent of the server itself unless it is given the token of a pool. */
export async function agentOf(app: TestApp, { engines, download, ...given }: Given): Promise<Agent> {
  const address = await addressOf(app);
  return startAgent({
    address,
    server: serverAt(address, () => undefined),
    directory: createDirectory(),
    inherited: { PATH: process.env['PATH'] ?? '' },
    commonSettings: '',
    hooksDirectory: undefined,
    // Scripts leave traces outside of their places.
    isolation: without('the test wants none'),
    readable: [],
    memory_bytes: null,
    disk_bytes: null,
    name: 'scripted',
    token: () => ownTicket(app.config),
    concurrency: 1,
    log: () => undefined,
    engines: enginesOf(engines, download),
    git: null,
    ...given,
  });
}

export async function addressOf({ app }: TestApp): Promise<string> {
  if (app.server.listening) return app.listeningOrigin;
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A connection on which nobody has asked anything yet would hold the server open when it is closed.
  const close = app.server.close.bind(app.server);
  app.server.close = done => {
    const closing = close(done);
    app.server.closeAllConnections();
    return closing;
  };
  return app.listeningOrigin;
}

export interface AskedRun {
  files?: Record<string, string | Buffer>;
  /** Attributes of the run. */
  run?: object;
  /** Of its workspace, which is made for it. */
  workspace?: object;
  /** Variables of the environment, of the workspace. */
  environment?: Record<string, string>;
}

/** A run as a client makes it: a workspace, an upload, and the run of it. */
export async function askForRun(
  app: TestApp,
  of: TestOrganization,
  given: AskedRun = {},
): Promise<{ id: string; workspaceId: string }> {
  const { token } = of.owner;
  const workspaceId = await workspace(app, of);
  const attributes = { 'terraform-version': scriptedVersion, ...given.workspace };
  await app.patch(`workspaces/${workspaceId}`, token, bodyOf('workspaces', attributes));
  for (const [key, value] of Object.entries(given.environment ?? {}))
    await app.post(`workspaces/${workspaceId}/vars`, token, bodyOf('vars', { key, value, category: 'env' }));
  const version = await upload(app, of, workspaceId, given.files ?? {});
  const related = {
    workspace: { data: { type: 'workspaces', id: workspaceId } },
    'configuration-version': { data: { type: 'configuration-versions', id: version } },
  };
  const { data } = await app.post('runs', token, bodyOf('runs', given.run ?? {}, related));
  return { id: data.id, workspaceId };
}

/** Returns the id of the configuration version. */
export async function upload(
  app: TestApp,
  of: TestOrganization,
  workspaceId: string,
  files: Record<string, string | Buffer>,
  attributes: object = { 'auto-queue-runs': false },
): Promise<string> {
  const body = bodyOf('configuration-versions', attributes);
  const { data } = await app.post(`workspaces/${workspaceId}/configuration-versions`, of.owner.token, body);
  const directory = createDirectory();
  const all = { 'main.tf': '', ...files };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const packed = create({ cwd: directory, gzip: true }, Object.keys(all));
  const payload = Buffer.concat(await packed.collect());
  const { pathname, search } = new URL(data.attributes['upload-url']);
  const answer = await app.app.inject({
    method: 'PUT',
    url: `${pathname}${search}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload,
  });
  expect(answer.statusCode).toBe(200);
  return data.id;
}

export async function show(app: TestApp, of: TestOrganization, id: string): Promise<Document> {
  return (await app.get(`runs/${id}`, of.owner.token)).data;
}

/** Waits until the run is there. */
export async function comesTo(app: TestApp, of: TestOrganization, id: string, status: string): Promise<void> {
  const read = async () => (await show(app, of, id)).attributes.status;
  await expect.poll(read, { timeout: 60_000, interval: 50 }).toBe(status);
}

/** The whole log of a phase, as it can be read. */
export async function logOf(app: TestApp, of: TestOrganization, id: string, phase: 'plan' | 'apply'): Promise<string> {
  const { data } = await app.get(`runs/${id}/${phase}`, of.owner.token);
  const { pathname, search } = new URL(data.attributes['log-read-url']);
  return (await app.app.inject({ method: 'GET', url: `${pathname}${search}` })).body;
}
