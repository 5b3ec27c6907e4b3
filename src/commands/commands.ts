/** All commands. Each is loaded when it is asked for: to load everything takes half a second, and most need far less. */
import type { Command } from 'commander';

interface Kind {
  /** The words by which they are asked for. */
  words?: readonly string[];
  load: () => Promise<(program: Command) => void>;
}

/** Those whose words nobody lists here: a group for each type of record. */
const client: Kind = { load: async () => (await import('./client/commands.ts')).registerClient };

/** In the order of the help. */
export const kinds: readonly Kind[] = [
  { words: ['serve'], load: async () => (await import('./serve.ts')).registerServe },
  { words: ['agent'], load: async () => (await import('./agent.ts')).registerAgent },
  { words: ['mock'], load: async () => (await import('./mock.ts')).registerMock },
  { words: ['migrate'], load: async () => (await import('./migrate.ts')).registerMigrate },
  { words: ['token'], load: async () => (await import('./token.ts')).registerToken },
  { words: ['sign-in-link'], load: async () => (await import('./sign-in-link.ts')).registerSignInLink },
  { words: ['login-config'], load: async () => (await import('./login-config.ts')).registerLoginConfig },
  { words: ['retention'], load: async () => (await import('./retention.ts')).registerRetention },
  { words: ['reseal'], load: async () => (await import('./reseal.ts')).registerReseal },
  { words: ['doctor'], load: async () => (await import('./doctor.ts')).registerDoctor },
  { words: ['backup'], load: async () => (await import('./backup.ts')).registerBackup },
  { words: ['restore'], load: async () => (await import('./restore.ts')).registerRestore },
  { words: ['verify'], load: async () => (await import('./verify.ts')).registerVerify },
  { words: ['blobs'], load: async () => (await import('./blobs.ts')).registerBlobs },
  { words: ['seed'], load: async () => (await import('./seed.ts')).registerSeed },
  { words: ['import', 'compare', 'export'], load: async () => (await import('./move.ts')).registerMove },
  { words: ['login', 'logout'], load: async () => (await import('./client/login.ts')).registerLogin },
  client,
  { words: ['completion'], load: async () => (await import('./client/completion.ts')).registerCompletion },
];

/** Adds what `word` asks for; everything where it is no command: help, what a shell may complete, a mistake. */
export async function registerCommands(program: Command, word = 'help'): Promise<void> {
  const own = kinds.find(({ words }) => words?.includes(word));
  const mayBeOfClient = !own && !/^(-.*|help|complete)$/.test(word);
  const first = own ?? (mayBeOfClient ? client : undefined);
  if (first) (await first.load())(program);
  const isThere = program.commands.some(one => one.name() === word || one.aliases().includes(word));
  if (!isThere) for (const kind of kinds) if (kind !== first) (await kind.load())(program);
}
