/** An agent: it signs in, takes jobs as long as it has hands for them, and takes its leave when all are done. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Control } from './engine-process.ts';
import { carryOutIngress } from './ingress.ts';
import { carryOut, type Workshop } from './job.ts';
import { type Handed, longestWait_s, type Registered, type Registration } from './protocol.ts';
import { RefusedError } from './server.ts';

export interface AgentOptions extends Workshop {
  name: string | null;
  /** Of the pool; it may be renewed while the agent runs. */
  token: () => string;
  /** How many jobs it works on at once. */
  concurrency: number;
  log: (details: object, message: string) => void;
}

export interface Agent {
  /** Takes no more jobs; resolves when those under way are done. */
  drain: () => Promise<void>;
  /** As `drain`, but asks the engines to stop. */
  interrupt: () => Promise<void>;
  /** Resolves when it has ended; rejects where the server does not let it in. */
  ended: Promise<void>;
}

const claimTimeout_ms = (longestWait_s + 15) * 1000;
const pause_ms = 1000;
const cacheKeptFor_ms = 7 * 86_400_000;
/** Longer than anything is fetched. Another agent may be at work in the same directory. */
const abandonedAfter_ms = 3_600_000;

export function startAgent(options: AgentOptions): Agent {
  const stopping = new AbortController();
  const steerings = new Set<Control>();
  const session = signedIn(options);
  const ended = (async () => {
    await removeOldCaches(options.directory);
    await removeAbandonedFetches(options.directory);
    await session.secret();
    await Promise.all(
      Array.from({ length: options.concurrency }, (_none, slot) =>
        work(options, session, slot, steerings, stopping.signal),
      ),
    );
    await session.exit();
  })();
  const drain = () => {
    stopping.abort();
    return ended;
  };
  const interrupt = () => {
    const done = drain();
    for (const steering of steerings) steering.interrupt('stopped');
    return done;
  };
  return { drain, interrupt, ended };
}

interface Session {
  secret: () => Promise<string>;
  /** The secret that was given opens nothing any more: the next one is another. */
  forget: (secret: string) => void;
  exit: () => Promise<void>;
}

/** Signs in when it must: all hands of an agent share what it got. */
function signedIn({ server, engines, git, name, token }: AgentOptions): Session {
  let current: Promise<Registered> | undefined;
  const register = () => {
    const registration: Registration = {
      name,
      engines: engines.installed.map(one => ({ name: one.name, version: one.version })),
      git: git?.version ?? null,
    };
    return server.ask('POST', '/register', token(), { json: registration });
  };
  const secret = async () => {
    current ??= register();
    const attempt = current;
    try {
      return (await attempt).secret;
    } catch (error) {
      if (current === attempt) current = undefined;
      throw error;
    }
  };
  return {
    secret,
    forget: old => {
      const before = current;
      before?.then(
        known => {
          if (known.secret === old && current === before) current = undefined;
        },
        () => undefined,
      );
    },
    exit: async () => {
      const known = await current?.catch(() => undefined);
      const given = { patience_ms: 2000, timeout_ms: 2000 };
      if (known) await server.ask('POST', '/exit', known.secret, given).catch(() => undefined);
    },
  };
}

/** One job after the other until asked to stop. Throws where the server lets the agent in no more. */
async function work(
  options: AgentOptions,
  session: Session,
  slot: number,
  steerings: Set<Control>,
  stop: AbortSignal,
): Promise<void> {
  const { server, log } = options;
  while (!stop.aborted) {
    const secret = await session.secret();
    let handed: Handed | undefined;
    try {
      handed = await server.ask('POST', '/jobs/claim', secret, {
        json: { wait_s: longestWait_s },
        timeout_ms: claimTimeout_ms,
        signal: stop,
      });
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof RefusedError && error.isOver)) log({ err: error }, 'no job could be asked for');
      session.forget(secret);
      await sleep(pause_ms);
      continue;
    }
    if (handed) await doJob(options, handed, slot, steerings);
  }
}

async function doJob(options: AgentOptions, handed: Handed, slot: number, steerings: Set<Control>): Promise<void> {
  let own: Control | undefined;
  const begin = (what: object, steering: Control) => {
    own = steering;
    steerings.add(steering);
    options.log(what, 'job begun');
  };
  try {
    if (handed.kind === 'ingress') {
      await carryOutIngress(options, handed, ({ job, configuration_version, workspace }, steering) =>
        begin({ job, configuration_version, phase: 'ingress', workspace: workspace.name }, steering),
      );
    } else {
      await carryOut(options, handed, slot, ({ job, run, phase, workspace }, steering) =>
        begin({ job, run, phase, workspace: workspace.name }, steering),
      );
    }
    options.log({ job: handed.job }, 'job done');
  } catch (error) {
    options.log({ err: error, job: handed.job }, 'a job could not be reported');
  } finally {
    if (own) steerings.delete(own);
  }
}

/** Providers that no run has asked for in a while. */
async function removeOldCaches(directory: string): Promise<void> {
  const caches = join(directory, 'providers');
  for (const name of await readdir(caches).catch(() => [])) {
    const path = join(caches, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > cacheKeptFor_ms) await rm(path, { recursive: true, force: true });
  }
}

/** What an agent that was killed has left of repositories: the token of their connection lies beside them. */
async function removeAbandonedFetches(directory: string): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (!name.startsWith('cv-')) continue;
    const path = join(directory, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > abandonedAfter_ms) await rm(path, { recursive: true, force: true });
  }
}
