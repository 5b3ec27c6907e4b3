// The agent that a server starts itself: a process of its own, which gets a ticket and nothing of the server's secrets.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Config, inheritedEnvironment } from '../core/config.ts';
import { ownTicket } from '../runs/door/sign-in.ts';

const renewal_ms = 12 * 3_600_000;
const firstPause_ms = 1000;
const longestPause_ms = 60_000;
/** To end the engines and to say how far they came, while the server still listens. */
const goodbye_ms = 8000;

interface Log {
  info: (details: object, message: string) => void;
  warn: (details: object, message: string) => void;
}

/** Starts one where the configuration and the machine let it. The returned function ends it. */
export function startBuiltInAgent(config: Config, address: string, log: Log): () => Promise<void> {
  if (!isWanted(config)) return async () => undefined;
  let child: ChildProcess | undefined;
  let isStopped = false;
  let pause_ms = firstPause_ms;
  let again: NodeJS.Timeout | undefined;
  const start = () => {
    child = spawnAgent(config, address);
    const started_ms = Date.now();
    child.once('error', fault => log.warn({ err: fault }, 'the built-in agent cannot be started'));
    child.once('exit', (code, signal) => {
      if (isStopped) return;
      log.warn({ code, signal }, 'the built-in agent has ended and is started again');
      pause_ms = Date.now() - started_ms > longestPause_ms ? firstPause_ms : Math.min(pause_ms * 2, longestPause_ms);
      again = setTimeout(start, pause_ms);
    });
    sendTicket();
  };
  // A pipe that nobody reads any more is no reason for the server to fail: the agent's end is told apart.
  const sendTicket = () => void child?.stdin?.on('error', () => undefined).write(`${ownTicket(config)}\n`);
  const renewal = setInterval(sendTicket, renewal_ms);
  renewal.unref();
  start();
  return async () => {
    isStopped = true;
    clearInterval(renewal);
    clearTimeout(again);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child?.kill('SIGKILL'), goodbye_ms);
    await exit;
    clearTimeout(late);
  };
}

/** By itself only where nobody but this machine reaches the server: whoever may plan may execute anything. */
function isWanted(config: Config): boolean {
  const { builtinAgent, databaseUrl, host } = config;
  if (builtinAgent !== 'auto') return builtinAgent === 'on';
  const isLocal = databaseUrl === undefined && /^(127\.|::1$|localhost$)/.test(host);
  return isLocal && hasEngine(config);
}

function hasEngine({ enginesDirectory, enginesDownload }: Config): boolean {
  if (enginesDownload !== 'off') return true;
  if (enginesDirectory !== undefined && existsSync(enginesDirectory)) return true;
  const places = (inheritedEnvironment()['PATH'] ?? '').split(delimiter).filter(place => place !== '');
  return places.some(place => ['terraform', 'tofu'].some(name => isExecutable(join(place, name))));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function spawnAgent(config: Config, address: string): ChildProcess {
  const {
    enginesDirectory,
    enginesDownload,
    enginesMirror,
    enginesKey,
    agentDirectory,
    agentHooksDirectory,
    agentEngineSettings,
    agentIsolation,
    agentReadable,
    runMemory,
    runDisk,
    builtinAgentUser,
  } = config;
  const settings = {
    TERRANE_LOG_LEVEL: config.logLevel,
    TERRANE_ENGINES_DIR: enginesDirectory,
    TERRANE_ENGINES_DOWNLOAD: enginesDownload,
    TERRANE_ENGINES_MIRROR: enginesMirror,
    TERRANE_ENGINES_KEY: enginesKey,
    TERRANE_AGENT_DIR: agentDirectory,
    TERRANE_AGENT_HOOKS_DIR: agentHooksDirectory,
    TERRANE_AGENT_ENGINE_SETTINGS: agentEngineSettings,
    TERRANE_AGENT_ISOLATION: agentIsolation,
    TERRANE_AGENT_READABLE: agentReadable?.join(':'),
    TERRANE_RUN_MEMORY: String(runMemory),
    TERRANE_RUN_DISK: String(runDisk),
  };
  const inherited = inheritedEnvironment();
  // Engines trust what SSL_CERT_FILE names, and Node only what it was told by a name of its own.
  const trusted = inherited['NODE_EXTRA_CA_CERTS'] ?? inherited['SSL_CERT_FILE'];
  const parameters = ['agent', '--built-in', '--url', address, '--name', 'built-in', '--concurrency', '2'];
  return spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...parameters], {
    env: {
      ...inherited,
      ...(trusted !== undefined && { NODE_EXTRA_CA_CERTS: trusted }),
      ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    },
    // In a group of its own: a Ctrl-C at the terminal is the server's, which then ends the agent in its turn.
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    ...(builtinAgentUser && builtinAgentUser),
  });
}
