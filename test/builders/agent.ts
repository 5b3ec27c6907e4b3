/** Agents for tests: rows made straight in the database, and one that talks to the real app as a program would. */
import { randomBytes } from 'node:crypto';
import {
  type ArtifactName,
  type Handed,
  type JobDescription,
  type JobKind,
  protocolPath,
  type Registration,
  type Report,
} from '../../agent/protocol.ts';
import { newId } from '../../src/core/store/ids.ts';
import { row } from '../../src/core/store/store.ts';
import { ownTicket } from '../../src/runs/door/sign-in.ts';
import type { Document, TestApp } from '../app.ts';

/** The row of an agent; returns its id. */
export async function agentRow(app: TestApp, members: Record<string, unknown>): Promise<string> {
  const sql = app.store.read;
  const id = newId('agent');
  await sql`insert into agents ${row(sql, { id, secret_hash: randomBytes(32), ...members })}`;
  return id;
}

export interface AgentAnswer {
  status: number;
  json: Document;
  bytes: Buffer;
}

/** Asks the agents' door. A body that is no buffer is sent as JSON. */
export async function askDoor(
  app: TestApp,
  method: string,
  path: string,
  token: string | null,
  body?: object | Buffer,
): Promise<AgentAnswer> {
  const isContent = Buffer.isBuffer(body);
  const answer = await app.app.inject({
    method: method as 'GET',
    url: `${protocolPath}${path}`,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': isContent ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body && { payload: isContent ? body : JSON.stringify(body) }),
  });
  const isJson = /json/.test(String(answer.headers['content-type'] ?? ''));
  return { status: answer.statusCode, json: isJson ? JSON.parse(answer.body) : undefined, bytes: answer.rawPayload };
}

export interface TestJob {
  id: string;
  kind: JobKind;
  token: string;
  ask: (method: string, path: string, body?: object | Buffer) => Promise<AgentAnswer>;
  /** Throws what a refusal says. */
  start: () => Promise<JobDescription>;
  log: (offset: number, text: string) => Promise<AgentAnswer>;
  leave: (name: ArtifactName, content: string) => Promise<AgentAnswer>;
  finish: (report: Report) => Promise<number>;
}

export interface TestAgent {
  id: string;
  secret: string;
  /** Null where there is none within the time. */
  claim: (wait_s?: number) => Promise<TestJob | null>;
}

/** Signs in with the token of a pool, or as the server's own agent. */
export async function signedIn(
  app: TestApp,
  token: string = ownTicket(app.config),
  given: Partial<Registration> = {},
): Promise<TestAgent> {
  const registration = { engines: [{ name: 'terraform', version: '1.9.0' }], ...given };
  const { status, json } = await askDoor(app, 'POST', '/register', token, registration);
  if (status !== 200) throw new Error(`register: ${status} ${JSON.stringify(json)}`);
  const claim = async (wait_s = 0) => {
    const taken = await askDoor(app, 'POST', '/jobs/claim', json.secret, { wait_s });
    if (taken.status === 204) return null;
    if (taken.status !== 200) throw new Error(`claim: ${taken.status} ${JSON.stringify(taken.json)}`);
    return testJob(app, taken.json);
  };
  return { id: json.agent, secret: json.secret, claim };
}

function testJob(app: TestApp, { job, kind, token }: Handed): TestJob {
  const room = kind === 'ingress' ? '/ingress' : '/job';
  const ask: TestJob['ask'] = (method, path, body) => askDoor(app, method, `${room}${path}`, token, body);
  return {
    id: job,
    kind,
    token,
    ask,
    start: async () => {
      const { status, json } = await ask('POST', '/start');
      if (status !== 200) throw new Error(`start: ${status}`);
      return json;
    },
    log: (offset, text) => ask('PATCH', `/log?offset=${offset}`, Buffer.from(text)),
    leave: (name, content) => ask('PUT', `/artifacts/${name}`, Buffer.from(content)),
    finish: async report => (await ask('POST', '/finish', report)).status,
  };
}
