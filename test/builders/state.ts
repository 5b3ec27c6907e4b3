/** States for tests, and how a client sends them. */
import { createHash } from 'node:crypto';
import type { Answer, TestApp } from '../app.ts';

export const lineage = '0f0f0f0f-1111-2222-3333-444444444444';
export const nullProvider = 'provider["registry.terraform.io/hashicorp/null"]';

export interface StateGiven {
  serial?: number;
  lineage?: string;
  /** How many instances of `null_resource.many` it manages, or its blocks. */
  resources?: number | object[];
  outputs?: Record<string, unknown>;
  /** Further members, or other values of the usual ones. */
  [member: string]: unknown;
}

/** A state as a client writes it. */
export function stateOf({ serial = 1, resources = 0, outputs = {}, ...members }: StateGiven = {}): Buffer {
  const own = Array.isArray(resources) ? resources : null;
  const block = {
    mode: 'managed',
    type: 'null_resource',
    name: 'many',
    provider: nullProvider,
    instances: Array.from({ length: own ? 0 : (resources as number) }, (_, index) => ({
      index_key: index,
      schema_version: 0,
      attributes: { id: `id-${index}`, triggers: null },
    })),
  };
  const state = {
    version: 4,
    terraform_version: '1.11.4',
    serial,
    lineage,
    outputs,
    resources: own ?? ((resources as number) > 0 ? [block] : []),
    check_results: null,
    ...members,
  };
  return Buffer.from(JSON.stringify(state, null, 2));
}

export const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

/** The body of a creation; with the content in it unless `inline` is false. */
export function versionBody(state: Buffer, given: Record<string, unknown> = {}, inline = true): object {
  const attributes = {
    serial: 1,
    md5: md5Of(state),
    ...(inline && { state: state.toString('base64') }),
    ...given,
  };
  return { data: { type: 'state-versions', attributes } };
}

/** Sends bytes to, or gets them from, an address of the server, without a token as clients do. */
export async function transfer(
  app: TestApp,
  method: 'GET' | 'PUT',
  address: string,
  bytes?: Buffer,
): Promise<{ status: number; bytes: Buffer; problems: string[]; headers: Record<string, unknown> }> {
  const { pathname, search } = new URL(address);
  const response = await app.app.inject({
    method,
    url: `${pathname}${search}`,
    headers: bytes ? { 'content-type': 'application/octet-stream' } : {},
    ...(bytes && { payload: bytes }),
  });
  const isRefused = response.statusCode >= 400;
  const errors: { title: string; detail?: string }[] = isRefused ? JSON.parse(response.payload).errors : [];
  return {
    status: response.statusCode,
    bytes: response.rawPayload,
    problems: errors.map(({ title, detail }) => detail ?? title),
    headers: response.headers,
  };
}

/** A client that works on a workspace with a token. */
export function stateClient(app: TestApp, workspaceId: string, token: string) {
  const path = `workspaces/${workspaceId}`;
  const create = (body: object): Promise<Answer> => app.post(`${path}/state-versions`, token, body);
  return {
    lock: () => app.post(`${path}/actions/lock`, token),
    unlock: () => app.post(`${path}/actions/unlock`, token),
    current: () => app.get(`${path}/current-state-version`, token),
    workspace: () => app.get(path, token),
    create,
    /** With its content in the body. */
    push: (state: Buffer, given?: Record<string, unknown>) => create(versionBody(state, given)),
    /** Without: the answer has the addresses. */
    announce: (state: Buffer, given?: Record<string, unknown>) => create(versionBody(state, given, false)),
  };
}
