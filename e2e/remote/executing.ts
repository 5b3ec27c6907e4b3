/** A server whose own agent executes runs, for the tests of one file; their directories, and what they ask of it. */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { createDirectory } from '../../test/running/database.ts';
import { commandLines, type Directory, hostOf, type Server, startServer, workDirectory } from '../command-line.ts';

export const organization = 'acme';
export const apply = ['apply', '-auto-approve', '-no-color', '-input=false'];

const resources = `
variable "color" {
  default = "blue"
}
variable "secret" {
  default   = "none"
  sensitive = true
}
resource "terraform_data" "one" {
  input = var.color
}
output "color" {
  value = terraform_data.one.output
}
`;

/** Takes a while, and says something that nobody may read. */
export const slow = (seconds: number) => `
resource "terraform_data" "slow" {
  input = var.color
  provisioner "local-exec" {
    command = "echo begun $SECRET_TEXT; sleep ${seconds}; echo ended"
  }
}
`;

/** One that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Calls `tests` for each command line that is there, each with a server of its own. */
export function describeExecuting(
  tests: (executing: Executing) => void,
  settings: () => Promise<Record<string, string>> = async () => ({}),
): void {
  const found = commandLines();
  if (found.length === 0) console.log('e2e: no engine on this machine (terraform, tofu): remote execution is skipped');
  // Each command takes seconds, and many on a busy machine.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });
  describe.skipIf(found.length === 0).each(found.length === 0 ? ['none'] : found)('%s', binary => {
    tests(executingWith(binary, settings));
  });
}

export type Executing = ReturnType<typeof executingWith>;

function executingWith(binary: string, settings: () => Promise<Record<string, string>>) {
  let server: Server;
  const own: Record<string, string> = {
    TERRANE_BUILTIN_AGENT: 'on',
    TERRANE_AGENT_DIR: join(createDirectory(), 'work'),
  };
  beforeAll(async () => {
    mkdirSync(own['TERRANE_AGENT_DIR']!, { recursive: true, mode: 0o700 });
    Object.assign(own, await settings());
    server = await startServer(own);
    const attributes = { name: organization, email: 'owner@example.com' };
    await server.api('POST', 'organizations', { data: { type: 'organizations', attributes } });
    const entitlements = async () => (await server.api('GET', `organizations/${organization}/entitlement-set`)).data;
    const executes = async () => expect((await entitlements()).attributes.operations).toBe(true);
    await vi.waitFor(executes, { timeout: 30_000, interval: 200 });
  });
  afterAll(() => server?.stop());

  /** Kills the server where it stands, calls `meanwhile`, and starts it at the same address with the same data. */
  async function killAndStart(meanwhile: () => unknown): Promise<void> {
    const { port } = new URL(server.address);
    await server.stop('SIGKILL');
    await meanwhile();
    server = await startServer({ ...own, PORT: port, TERRANE_DATA_DIR: server.dataDirectory });
  }

  const backend = (workspaces: string, kind: 'cloud' | 'backend "remote"' = 'cloud') => `
    terraform {
      ${kind} {
        hostname     = "${hostOf(server)}"
        organization = "${organization}"
        workspaces { ${workspaces} }
      }
    }`;
  /** A directory that is initialized, with the usual resources and `more`. */
  async function directory(name: string, more = '', kind?: 'backend "remote"'): Promise<Directory> {
    const trusted = own['SSL_CERT_FILE'];
    const made = workDirectory(binary, server, trusted ? { SSL_CERT_FILE: trusted } : {});
    made.write('backend.tf', backend(`name = "${name}"`, kind));
    made.write('main.tf', resources + more);
    await made.succeed('init', '-no-color', '-input=false');
    return made;
  }

  const workspace = async (name: string) =>
    (await server.api('GET', `organizations/${organization}/workspaces/${name}`)).data;
  const setWorkspace = async (name: string, attributes: object) =>
    server.api('PATCH', `workspaces/${(await workspace(name)).id}`, { data: { type: 'workspaces', attributes } });
  const setVariable = async (name: string, attributes: object) =>
    server.api('POST', `workspaces/${(await workspace(name)).id}/vars`, { data: { type: 'vars', attributes } });
  const runsOf = async (name: string) =>
    (await server.api('GET', `workspaces/${(await workspace(name)).id}/runs`)).data;
  const statusIs = (name: string, status: string) =>
    expect
      .poll(async () => (await runsOf(name))[0]?.attributes.status, { timeout: 60_000, interval: 200 })
      .toBe(status);
  async function logOf(runId: string, phase: 'plan' | 'apply'): Promise<string> {
    const { data } = await server.api('GET', `runs/${runId}/${phase}`);
    return (await fetch(data.attributes['log-read-url'])).text();
  }
  /** Waits until the provisioner of `slow` is at work, and returns the run. */
  async function slowHasBegun(name: string): Promise<{ id: string }> {
    await statusIs(name, 'applying');
    const [run] = await runsOf(name);
    await expect.poll(async () => logOf(run.id, 'apply'), { timeout: 30_000, interval: 200 }).toContain('begun');
    return run;
  }

  return {
    binary,
    server: () => server,
    killAndStart,
    backend,
    directory,
    workspace,
    setWorkspace,
    setVariable,
    runsOf,
    statusIs,
    logOf,
    slowHasBegun,
  };
}
